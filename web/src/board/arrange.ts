/** Putting the pieces of one group into the order that makes a meld, or the nearest to one. */
import { isValid, type Kind } from "./melds.ts";
import type { Piece } from "./pieces.ts";
import { colourOf, isJoker, NUMBERS, numberOf } from "./tiles.ts";

export interface Arranged {
  readonly kind: Kind;
  readonly cells: readonly Piece[];
}

const real = (pieces: readonly Piece[]): Piece[] => pieces.filter((piece) => !isJoker(piece.tile));

/**
 * Tells what the pieces are and puts them in order.
 *
 * A run is sorted, its jokers fill the gaps, and jokers that are left go to the end at whose side
 * they lie. A set keeps the order it has. What is neither keeps its order too, so that a tile
 * stays where it was put.
 *
 * @param wish what the group was, where the tiles alone do not tell.
 */
export function arrange(pieces: readonly Piece[], wish: Kind = "run"): Arranged {
  const held = real(pieces);
  if (held.length === 0) return { kind: wish, cells: pieces };
  const oneNumber = held.every((piece) => numberOf(piece.tile) === numberOf(held[0].tile));
  const oneColour = held.every((piece) => colourOf(piece.tile) === colourOf(held[0].tile));
  const numbers = new Set(held.map((piece) => numberOf(piece.tile)));
  if (held.length === 1) {
    if (wish === "set") return { kind: "set", cells: pieces };
    return { kind: "run", cells: sortRun(pieces) };
  }
  if (oneNumber) return { kind: "set", cells: pieces };
  if (oneColour && numbers.size === held.length) return { kind: "run", cells: sortRun(pieces) };
  const sameNumber = most(held.map((piece) => numberOf(piece.tile)));
  const sameColour = most(held.map((piece) => colourOf(piece.tile)));
  if (sameNumber === sameColour) return { kind: wish, cells: pieces };
  return { kind: sameNumber > sameColour ? "set" : "run", cells: pieces };
}

function sortRun(pieces: readonly Piece[]): Piece[] {
  const held = real(pieces).sort((a, b) => numberOf(a.tile) - numberOf(b.tile));
  const jokers = pieces.filter((piece) => isJoker(piece.tile));
  const firstReal = pieces.findIndex((piece) => !isJoker(piece.tile));
  const lastReal = pieces.findLastIndex((piece) => !isJoker(piece.tile));
  const inside = jokers.filter((joker) => {
    const place = pieces.indexOf(joker);
    return place > firstReal && place < lastReal;
  });
  const before = jokers.filter((joker) => pieces.indexOf(joker) < firstReal);
  const after = jokers.filter((joker) => pieces.indexOf(joker) > lastReal);
  // Gaps are filled by the jokers that lie inside, then by those at the ends.
  const result: Piece[] = [];
  for (const [index, piece] of held.entries()) {
    const gap = index === 0 ? 0 : numberOf(piece.tile) - numberOf(held[index - 1].tile) - 1;
    for (let filled = 0; filled < gap; filled += 1) {
      const joker = inside.shift() ?? after.shift() ?? before.pop();
      if (!joker) break;
      result.push(joker);
    }
    result.push(piece);
  }
  // A joker laid between two neighbours has no place there: it goes to the nearer end.
  for (const joker of inside) {
    const place = pieces.indexOf(joker);
    if (place - firstReal < lastReal - place) before.push(joker);
    else after.push(joker);
  }
  let low = numberOf(held[0].tile);
  let high = numberOf(held[held.length - 1].tile);
  for (const joker of before.reverse()) {
    if (low > 1 || high >= NUMBERS) {
      result.unshift(joker);
      low -= 1;
    } else {
      result.push(joker);
      high += 1;
    }
  }
  for (const joker of after) {
    if (high < NUMBERS || low <= 1) {
      result.push(joker);
      high += 1;
    } else {
      result.unshift(joker);
      low -= 1;
    }
  }
  return result;
}

function most(values: readonly number[]): number {
  return Math.max(...values.map((value) => values.filter((other) => other === value).length));
}

/**
 * The parts of a run with gaps, if every part is a meld: what is left when a tile was taken out of
 * the middle. Otherwise the whole, unfinished.
 */
export function parts(arranged: Arranged): readonly Arranged[] {
  if (arranged.kind === "set" || arranged.cells.some((piece) => isJoker(piece.tile))) {
    return [arranged];
  }
  const found: Piece[][] = [];
  for (const piece of arranged.cells) {
    const last = found.at(-1)?.at(-1);
    const follows =
      last !== undefined &&
      colourOf(last.tile) === colourOf(piece.tile) &&
      numberOf(last.tile) + 1 === numberOf(piece.tile);
    if (follows) found[found.length - 1].push(piece);
    else found.push([piece]);
  }
  const whole = found.every((cells) =>
    isValid(
      "run",
      cells.map((piece) => piece.tile),
    ),
  );
  return whole && found.length > 1 ? found.map((cells) => ({ kind: "run", cells })) : [arranged];
}
