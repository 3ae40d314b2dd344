/**
 * Tiles with an identity, and the melds that hold them.
 *
 * The rules do not tell twins apart; the eye does. A piece keeps its number while it moves about,
 * so that what did not move stays where it is and what moved can be seen to move.
 */
import type { Kind, PlainMeld } from "./melds.ts";
import { meldKey } from "./melds.ts";
import type { Tile } from "./tiles.ts";

export interface Piece {
  readonly id: number;
  readonly tile: Tile;
}

export interface Meld {
  readonly id: number;
  readonly kind: Kind;
  readonly cells: readonly Piece[];
}

let count = 0;

/** A number that no other piece or meld of this page has. */
export function newId(): number {
  count += 1;
  return count;
}

export const newPiece = (tile: Tile): Piece => ({ id: newId(), tile });

export const newMeld = (kind: Kind, cells: readonly Piece[]): Meld => ({
  id: newId(),
  kind,
  cells,
});

export const plain = (meld: Meld): PlainMeld => ({
  kind: meld.kind,
  cells: meld.cells.map((piece) => piece.tile),
});

/**
 * Gives identities to a table that arrives as plain melds.
 *
 * Equal melds stay the very same; changed ones inherit from those they share most tiles with;
 * pieces are looked for in the same meld first, then on the whole table, then among `spare`
 * (a hand, or a draft), and only then made anew.
 */
export function adopt(
  previous: readonly Meld[],
  next: readonly PlainMeld[],
  spare: readonly Piece[] = [],
): Meld[] {
  const left = new Map(previous.map((meld) => [meld.id, meld]));
  const result: (Meld | undefined)[] = next.map((meld) => {
    const key = meldKey(meld);
    for (const old of left.values()) {
      if (meldKey(plain(old)) === key) {
        left.delete(old.id);
        return old;
      }
    }
    return undefined;
  });
  const heirs = inherit([...left.values()], next, result);
  const pool = new Map<Tile, Piece[]>();
  const offer = (piece: Piece) => {
    const twins = pool.get(piece.tile);
    if (twins) twins.push(piece);
    else pool.set(piece.tile, [piece]);
  };
  for (const old of left.values()) old.cells.forEach(offer);
  spare.forEach(offer);
  const take = (tile: Tile, preferred: readonly Piece[]): Piece => {
    const twins = pool.get(tile) ?? [];
    const place = twins.findIndex((piece) => preferred.includes(piece));
    const found = place >= 0 ? twins.splice(place, 1)[0] : undefined;
    return found ?? twins.shift() ?? newPiece(tile);
  };
  // First everybody keeps what was its own, then the rest is shared out.
  const kept = next.map((meld, index) => {
    const heir = heirs.get(index);
    if (result[index] || !heir) return undefined;
    return meld.cells.map((tile) => {
      const twins = pool.get(tile) ?? [];
      const place = twins.findIndex((piece) => heir.cells.includes(piece));
      return place >= 0 ? twins.splice(place, 1)[0] : undefined;
    });
  });
  return next.map((meld, index) => {
    const same = result[index];
    if (same) return same;
    const cells = meld.cells.map((tile, cell) => kept[index]?.[cell] ?? take(tile, []));
    return { id: heirs.get(index)?.id ?? newId(), kind: meld.kind, cells };
  });
}

/** Which old meld each changed one continues: those that share most come first. */
function inherit(
  old: readonly Meld[],
  next: readonly PlainMeld[],
  settled: readonly (Meld | undefined)[],
): Map<number, Meld> {
  const pairs: { index: number; meld: Meld; shared: number }[] = [];
  for (const [index, meld] of next.entries()) {
    if (settled[index]) continue;
    for (const before of old) {
      const shared = sharedTiles(meld.cells, before.cells);
      if (shared > 0) pairs.push({ index, meld: before, shared });
    }
  }
  pairs.sort((a, b) => b.shared - a.shared);
  const heirs = new Map<number, Meld>();
  const used = new Set<number>();
  for (const { index, meld } of pairs) {
    if (heirs.has(index) || used.has(meld.id)) continue;
    heirs.set(index, meld);
    used.add(meld.id);
  }
  return heirs;
}

function sharedTiles(cells: readonly Tile[], pieces: readonly Piece[]): number {
  const rest = pieces.map((piece) => piece.tile);
  let shared = 0;
  for (const tile of cells) {
    const place = rest.indexOf(tile);
    if (place >= 0) {
      rest.splice(place, 1);
      shared += 1;
    }
  }
  return shared;
}

/**
 * A hand in its own order after the server told its tiles: what is still held keeps its place,
 * what is new comes last.
 */
export function reconcileHand(
  order: readonly Piece[],
  tiles: readonly Tile[],
): { hand: Piece[]; drawn: Piece[] } {
  const left = [...tiles];
  const hand = order.filter((piece) => {
    const place = left.indexOf(piece.tile);
    if (place < 0) return false;
    left.splice(place, 1);
    return true;
  });
  const drawn = left.map(newPiece);
  return { hand: [...hand, ...drawn], drawn };
}
