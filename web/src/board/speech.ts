/**
 * What happened, as data for a sentence: which texts with which tiles and melds.
 *
 * The words are made elsewhere, in the reader's language.
 */
import type { PlainMeld } from "./melds.ts";
import { meldKey } from "./melds.ts";
import type { Tile } from "./tiles.ts";

export type PlayPart =
  | { readonly kind: "new"; readonly meld: PlainMeld }
  | { readonly kind: "added"; readonly tiles: readonly Tile[]; readonly meld: PlainMeld }
  | { readonly kind: "rearranged"; readonly tiles: readonly Tile[]; readonly melds: number };

/**
 * What a play did: new melds of own tiles, tiles added to melds that stayed whole, and all else as
 * one rearrangement with the tiles that it placed.
 */
export function describePlay(
  tiles: readonly Tile[],
  before: readonly PlainMeld[],
  after: readonly PlainMeld[],
): PlayPart[] {
  const parts: PlayPart[] = [];
  const own = [...tiles];
  const old = [...before];
  let rest: PlainMeld[] = [];
  // Tiles added to a meld that is still there whole.
  for (const meld of after) {
    const place = old.findIndex(
      (one) => one.kind === meld.kind && without(meld, one) !== undefined,
    );
    const added = place >= 0 ? without(meld, old[place]) : undefined;
    if (added && added.length > 0 && takeAll(own, added)) {
      parts.push({ kind: "added", tiles: added, meld: old[place] });
      old.splice(place, 1);
    } else rest.push(meld);
  }
  // Melds of own tiles alone.
  rest = rest.filter((meld) => {
    if (!takeAll(own, meld.cells)) return true;
    parts.push({ kind: "new", meld });
    return false;
  });
  if (rest.length) parts.push({ kind: "rearranged", tiles: own, melds: rest.length });
  return parts;
}

/** The tiles of a meld besides those of a part of it; undefined if it does not hold them all. */
function without(meld: PlainMeld, part: PlainMeld): Tile[] | undefined {
  const left = [...meld.cells];
  for (const tile of part.cells) {
    const place = left.indexOf(tile);
    if (place < 0) return undefined;
    left.splice(place, 1);
  }
  return left;
}

/** Takes tiles out of a list if all are there; otherwise leaves it as it is. */
function takeAll(list: Tile[], tiles: readonly Tile[]): boolean {
  const rest = [...list];
  for (const tile of tiles) {
    const place = rest.indexOf(tile);
    if (place < 0) return false;
    rest.splice(place, 1);
  }
  list.splice(0, list.length, ...rest);
  return true;
}

/** A table with a play undone or done: melds out, melds in; the untouched keep their order. */
export function exchange(
  table: readonly PlainMeld[],
  out: readonly PlainMeld[],
  into: readonly PlainMeld[],
): PlainMeld[] {
  const gone = out.map(meldKey);
  const kept = table.filter((meld) => {
    const place = gone.indexOf(meldKey(meld));
    if (place < 0) return true;
    gone.splice(place, 1);
    return false;
  });
  return [...kept, ...into];
}
