/**
 * Showing what moved: from where a tile was to where it is.
 *
 * Positions come from the layout, so that nothing is read from the screen but the corners of the
 * two regions, once for each change. Movement is a transform and runs beside the script.
 */

export interface Seen {
  /** In pixels of the window. */
  readonly x: number;
  readonly y: number;
  /** The width of the tile. */
  readonly size: number;
}

export interface Moved extends Seen {
  readonly element: HTMLElement;
  /** Where it lies in its own region: what its transform says. */
  readonly left: number;
  readonly top: number;
}

export interface Journey {
  /** Where a tile that was not there before comes from. */
  readonly source?: (id: number) => Seen | undefined;
  /** How long to wait before a tile moves, in milliseconds. */
  readonly delay?: (id: number) => number;
  readonly duration: number;
}

const EASE = "cubic-bezier(0.22, 0.8, 0.3, 1)";

export class Mover {
  private last = new Map<number, Seen>();

  /** Moves what is elsewhere than before; `still` only remembers where everything is. */
  move(now: ReadonlyMap<number, Moved>, journey: Journey, still: boolean): void {
    for (const [id, to] of now) {
      const from = this.last.get(id) ?? journey.source?.(id);
      if (still || !from) continue;
      const [dx, dy] = [from.x - to.x, from.y - to.y];
      if (Math.abs(dx) < 1 && Math.abs(dy) < 1 && Math.abs(from.size - to.size) < 1) continue;
      const end = `translate(${to.left}px, ${to.top}px)`;
      const start = `translate(${to.left + dx}px, ${to.top + dy}px) scale(${from.size / to.size})`;
      to.element.animate(
        [
          { transform: start, zIndex: 30 },
          { transform: `${end} scale(1)`, zIndex: 30 },
        ],
        {
          duration: journey.duration,
          delay: journey.delay?.(id) ?? 0,
          easing: EASE,
          fill: "backwards",
        },
      );
    }
    this.last = new Map(
      [...now].map(([id, { x, y, size }]): [number, Seen] => [id, { x, y, size }]),
    );
  }

  /** Says that a tile was last seen elsewhere, as where a drag let it go. */
  seen(id: number, at: Seen): void {
    this.last.set(id, at);
  }

  /** Forgets where everything was, as when the window has another size. */
  forget(): void {
    this.last.clear();
  }
}

/** Lets the back of a tile fly from one box to another. */
export function flyBack(layer: HTMLElement, from: DOMRect, to: DOMRect, duration: number): void {
  const tile = document.createElement("div");
  tile.className = "flying-back";
  layer.append(tile);
  const at = (box: DOMRect) =>
    `translate(${box.left + box.width / 2 - 15}px, ${box.top + box.height / 2 - 20}px)`;
  const flight = tile.animate(
    [
      { transform: `${at(from)} scale(1)`, opacity: 1 },
      { transform: `${at(to)} scale(0.6)`, opacity: 0.4 },
    ],
    { duration, easing: EASE },
  );
  const end = () => tile.remove();
  flight.onfinish = end;
  flight.oncancel = end;
}
