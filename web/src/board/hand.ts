/** How the hand is set out: one row or two, as large as the room allows. */

export interface HandFit {
  readonly tile: number;
  readonly perRow: number;
  readonly rows: number;
  /** From one tile's left edge to the next, and from one row's top to the next. */
  readonly pitch: number;
  readonly row: number;
}

export interface HandRoom {
  readonly width: number;
  /** The greatest height that the hand may take. */
  readonly height: number;
  readonly least: number;
  readonly most: number;
}

const BETWEEN = 0.07;
const ROW = 4 / 3 + 0.16;

/** Sets out a number of places; the largest tiles win, and one row wins over two of its size. */
export function fitHand(places: number, room: HandRoom): HandFit {
  let best: HandFit | undefined;
  for (const rows of [1, 2, 3, 4]) {
    const perRow = Math.max(7, Math.ceil(places / rows));
    const wide = Math.floor(room.width / (perRow * (1 + BETWEEN)));
    const high = Math.floor(room.height / (rows * ROW));
    const tile = Math.min(wide, high, room.most);
    if (!best || tile > best.tile + 3) {
      best = { tile, perRow, rows, pitch: tile * (1 + BETWEEN), row: tile * ROW };
    }
    if (rows >= 2 && best.tile >= room.least) break;
  }
  const found = best as HandFit;
  if (found.tile >= room.least) return found;
  // Too many for the room: tiles stay large enough and the hand grows downwards.
  const tile = room.least;
  const pitch = tile * (1 + BETWEEN);
  const perRow = Math.max(1, Math.floor((room.width + tile * BETWEEN) / pitch));
  return { tile, perRow, rows: Math.ceil(places / perRow), pitch, row: tile * ROW };
}
