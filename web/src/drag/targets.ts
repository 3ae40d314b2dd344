/** Which place a dragged tile is over: generous, and the same for mouse, touch and pen. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface MeldZone extends Box {
  readonly id: number;
  readonly cells: number;
  /** Whether what is dragged would make or keep a meld here. */
  readonly fits: boolean;
}

/** Everything that something can be dropped on, in pixels of the window. */
export interface Zones {
  readonly melds: readonly MeldZone[];
  readonly table: Box;
  /** Where a new meld can always be laid, however full the table is; undefined if not shown. */
  readonly tray: Box | undefined;
  readonly hand: Box & {
    /** Width of a place with its gap, height of a row, places in a row, tiles in all. */
    readonly pitch: number;
    readonly row: number;
    readonly perRow: number;
    readonly count: number;
    readonly rightToLeft: boolean;
  };
  /** The width of a tile on the table. */
  readonly tile: number;
}

export type Place =
  | { readonly to: "meld"; readonly meld: number; readonly cell: number }
  | { readonly to: "new"; readonly x?: number; readonly y?: number }
  | { readonly to: "hand"; readonly index: number };

/**
 * The place under a point; undefined outside table and hand.
 *
 * A meld that what is dragged fits into takes it from most of a tile away, and wins over others;
 * one that it does not fit takes it only from right above. Of several the nearest wins.
 */
export function placeAt(zones: Zones, x: number, y: number): Place | undefined {
  if (zones.tray && within(zones.tray, x, y, 6)) return { to: "new" };
  const inHand = within(zones.hand, x, y, 12);
  if (!inHand || within(zones.table, x, y, 0)) {
    let best: MeldZone | undefined;
    let distance = 1;
    for (const meld of zones.melds) {
      const away = distanceTo(meld, x, y) / (zones.tile * (meld.fits ? 0.8 : 0.2));
      if (away < distance) [best, distance] = [meld, away];
    }
    if (best && !(inHand && distance > 0)) {
      const cell = Math.round((x - best.left) / (best.width / best.cells));
      return { to: "meld", meld: best.id, cell: Math.max(0, Math.min(best.cells, cell)) };
    }
    if (within(zones.table, x, y, 0)) {
      return { to: "new", x: x - zones.table.left, y: y - zones.table.top };
    }
  }
  if (inHand) return { to: "hand", index: handIndex(zones.hand, x, y) };
  return undefined;
}

/** The cell of a meld that a point lies on, rather than the gap between two. */
export function cellAt(meld: MeldZone, x: number): number {
  const cell = Math.floor((x - meld.left) / (meld.width / meld.cells));
  return Math.max(0, Math.min(meld.cells - 1, cell));
}

function handIndex(hand: Zones["hand"], x: number, y: number): number {
  const row = Math.max(0, Math.floor((y - hand.top) / hand.row));
  const along = hand.rightToLeft ? hand.left + hand.width - x : x - hand.left;
  const column = Math.max(0, Math.min(hand.perRow, Math.round(along / hand.pitch)));
  return Math.min(hand.count, row * hand.perRow + column);
}

function within(box: Box, x: number, y: number, slack: number): boolean {
  return (
    x >= box.left - slack &&
    x <= box.left + box.width + slack &&
    y >= box.top - slack &&
    y <= box.top + box.height + slack
  );
}

/** How far a point is from a box; half as far upwards and downwards counts as much. */
function distanceTo(box: Box, x: number, y: number): number {
  const dx = Math.max(box.left - x, 0, x - (box.left + box.width));
  const dy = Math.max(box.top - y, 0, y - (box.top + box.height));
  return Math.hypot(dx, dy * 1.6);
}
