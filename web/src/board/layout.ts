/**
 * Where melds lie: ordered rows in which nothing jumps that nobody touched.
 *
 * Lengths are in tiles. A meld keeps its place as long as it fits there; one that outgrew it, or
 * is new, goes to the nearest free place; only when the rows run out is everything laid anew.
 */

export interface Spot {
  readonly row: number;
  /** The left end, in tiles. */
  readonly x: number;
}

export interface Sized {
  readonly id: number;
  /** How many tiles. */
  readonly size: number;
  /** Where it would like to lie if it is new. */
  readonly wish?: Spot;
}

/** Where a meld lies, and how many tiles it had then. */
export interface Laid extends Spot {
  readonly size: number;
}

export type Layout = ReadonlyMap<number, Laid>;

/** The free space between two melds, in tiles. */
export const GAP = 0.5;

/** Lays melds into rows of a width (in tiles), keeping the places of an earlier layout. */
export function layOut(melds: readonly Sized[], before: Layout, width: number): Map<number, Laid> {
  const rows: { from: number; to: number }[][] = [];
  const spots = new Map<number, Laid>();
  const put = (meld: Sized, spot: Spot) => {
    spots.set(meld.id, { row: spot.row, x: spot.x, size: meld.size });
    while (rows.length <= spot.row) rows.push([]);
    rows[spot.row].push({ from: spot.x, to: spot.x + meld.size });
    rows[spot.row].sort((a, b) => a.from - b.from);
  };
  const free = (spot: Spot, size: number): boolean =>
    spot.x >= 0 &&
    (spot.x + size <= width || spot.x === 0) &&
    (rows[spot.row] ?? []).every(
      (taken) => spot.x + size + GAP <= taken.from + 1e-6 || taken.to + GAP <= spot.x + 1e-6,
    );
  // What did not change keeps its place, then what changed and still fits; the rest is laid.
  const same = (meld: Sized) => before.get(meld.id)?.size === meld.size;
  const waiting: Sized[] = [];
  for (const meld of [...melds.filter(same), ...melds.filter((one) => !same(one))]) {
    const spot = before.get(meld.id);
    if (spot && free(spot, meld.size)) put(meld, spot);
    else waiting.push(meld);
  }
  for (const meld of waiting) {
    const wish = before.get(meld.id) ?? meld.wish;
    put(meld, wish ? nearest(meld, wish, rows, free) : first(meld, rows, free));
  }
  return spots;
}

function first(
  meld: Sized,
  rows: readonly { from: number; to: number }[][],
  free: (spot: Spot, size: number) => boolean,
): Spot {
  for (let row = 0; ; row += 1) {
    for (const x of starts(rows[row])) if (free({ row, x }, meld.size)) return { row, x };
  }
}

function nearest(
  meld: Sized,
  wish: Spot,
  rows: readonly { from: number; to: number }[][],
  free: (spot: Spot, size: number) => boolean,
): Spot {
  let best: Spot | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (let row = 0; row <= rows.length; row += 1) {
    const ends = (rows[row] ?? []).map((taken) => taken.from - GAP - meld.size);
    for (const x of [...starts(rows[row]), ...ends, wish.x]) {
      // Rows count more than places in a row: the eye follows a line.
      const away = Math.abs(row - wish.row) * 3 + Math.abs(x - wish.x);
      if (away < distance && free({ row, x }, meld.size)) {
        best = { row, x };
        distance = away;
      }
    }
  }
  return best ?? first(meld, rows, free);
}

const starts = (row: readonly { to: number }[] = []): number[] => [
  0,
  ...row.map((taken) => taken.to + GAP),
];

export const rowsOf = (layout: Layout): number =>
  Math.max(0, ...[...layout.values()].map((spot) => spot.row + 1));

export interface Room {
  /** The size of the table's surface in pixels. */
  readonly width: number;
  readonly height: number;
  /** The least and the greatest width of a tile in pixels. */
  readonly least: number;
  readonly most: number;
}

/** A row's height in tile widths: a tile is 4 high for 3 wide, and there is air between rows. */
export const ROW = 4 / 3 + 0.34;

/** What fits into the room at a size of tile: tiles in a row, and rows. */
export const capacity = (room: Room, tile: number): { width: number; rows: number } => ({
  width: room.width / tile,
  rows: Math.max(1, Math.floor((room.height / tile + 0.34) / ROW)),
});

export interface Fit {
  readonly tile: number;
  readonly layout: Map<number, Laid>;
  readonly rows: number;
}

/**
 * A layout and a size of tile for the room.
 *
 * The size stays what it was as long as everything fits; then the places are laid anew, and only
 * then the tiles become smaller, never below the least size: from there on one scrolls. Tiles
 * become larger again when a table is empty or the room has changed (`fresh`).
 */
export function fitTable(
  melds: readonly Sized[],
  before: Layout,
  tile: number,
  room: Room,
  fresh: boolean,
): Fit {
  const longest = Math.max(1, ...melds.map((meld) => meld.size));
  const begin = fresh || melds.length === 0 ? room.most : tile;
  let size = Math.max(room.least, Math.min(begin, Math.floor(room.width / longest)));
  for (;;) {
    const { width, rows } = capacity(room, size);
    const kept = layOut(melds, fresh ? new Map() : before, width);
    if (rowsOf(kept) <= rows) return { tile: size, layout: kept, rows: rowsOf(kept) };
    const anew = layOut(inReadingOrder(melds, before), new Map(), width);
    if (rowsOf(anew) <= rows || size <= room.least) {
      const best = rowsOf(anew) < rowsOf(kept) ? anew : kept;
      return { tile: size, layout: best, rows: rowsOf(best) };
    }
    size = Math.max(room.least, size - 2);
  }
}

function inReadingOrder(melds: readonly Sized[], before: Layout): Sized[] {
  const rank = (meld: Sized): number => {
    const spot = before.get(meld.id) ?? meld.wish;
    return spot ? spot.row * 1000 + spot.x : Number.MAX_SAFE_INTEGER;
  };
  return [...melds].sort((a, b) => rank(a) - rank(b));
}

/** The melds as one reads them: row by row, from left to right. */
export function readingOrder<One extends { readonly id: number }>(
  melds: readonly One[],
  layout: Layout,
): One[] {
  const rank = (one: One): number => {
    const spot = layout.get(one.id);
    return spot ? spot.row * 1000 + spot.x : Number.MAX_SAFE_INTEGER;
  };
  return [...melds].sort((a, b) => rank(a) - rank(b));
}
