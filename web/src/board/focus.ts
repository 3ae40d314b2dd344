/**
 * The keyboard's way over the screen.
 *
 * Everything that can be focused stands in visual lines; arrows go along a line and to the nearest
 * thing in the next one. What is where is read from the screen when a key is pressed, so that the
 * keys always do what the eye expects.
 */

export interface Stop {
  readonly id: string;
  /** Centre and height, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export type Direction = "left" | "right" | "up" | "down" | "first" | "last";

/** Groups stops into lines, from the top; stops that overlap by half are on one line. */
export function linesOf(stops: readonly Stop[]): Stop[][] {
  const lines: Stop[][] = [];
  for (const stop of [...stops].sort((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    const head = line?.[0];
    if (line && head && stop.y - head.y < Math.min(head.height, stop.height) / 2) line.push(stop);
    else lines.push([stop]);
  }
  for (const line of lines) line.sort((a, b) => a.x - b.x);
  return lines;
}

/** Where an arrow leads from a stop; the same stop at an edge, the first if there is none. */
export function step(
  stops: readonly Stop[],
  current: string | undefined,
  direction: Direction,
): string | undefined {
  const lines = linesOf(stops);
  const row = lines.findIndex((line) => line.some((stop) => stop.id === current));
  if (row < 0) return lines[0]?.[0]?.id;
  const line = lines[row];
  const place = line.findIndex((stop) => stop.id === current);
  const here = line[place];
  switch (direction) {
    case "first":
      return line[0].id;
    case "last":
      return line[line.length - 1].id;
    case "left":
      return (line[place - 1] ?? lines[row - 1]?.at(-1) ?? here).id;
    case "right":
      return (line[place + 1] ?? lines[row + 1]?.[0] ?? here).id;
    default: {
      const next = lines[row + (direction === "up" ? -1 : 1)];
      if (!next) return here.id;
      return next.reduce((best, stop) =>
        Math.abs(stop.x - here.x) < Math.abs(best.x - here.x) ? stop : best,
      ).id;
    }
  }
}

/** Which direction a key means; undefined for other keys. */
export function directionOf(key: string, rightToLeft = false): Direction | undefined {
  switch (key) {
    case "ArrowLeft":
      return rightToLeft ? "right" : "left";
    case "ArrowRight":
      return rightToLeft ? "left" : "right";
    case "ArrowUp":
      return "up";
    case "ArrowDown":
      return "down";
    case "Home":
      return "first";
    case "End":
      return "last";
    default:
      return undefined;
  }
}
