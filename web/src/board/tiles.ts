/**
 * Tiles and their text, as the rules engine writes them: `r7` is the red 7, `*` a joker.
 *
 * A tile here is its index: colour * 13 + number - 1, and 52 for the joker.
 */

export type Tile = number;

export const NUMBERS = 13;
export const JOKER: Tile = 52;
/** The letters of the colours in order: red, yellow, black (k), blue. */
export const LETTERS = "rykb";
export const COLOURS = ["red", "yellow", "black", "blue"] as const;
export type Colour = (typeof COLOURS)[number];

export const isJoker = (tile: Tile): boolean => tile === JOKER;
/** The colour from 0 to 3; meaningless for a joker. */
export const colourOf = (tile: Tile): number => Math.floor(tile / NUMBERS);
/** The number from 1 to 13; 0 for a joker. */
export const numberOf = (tile: Tile): number => (tile === JOKER ? 0 : (tile % NUMBERS) + 1);
export const tileOf = (colour: number, number: number): Tile => colour * NUMBERS + number - 1;

export function formatTile(tile: Tile): string {
  return tile === JOKER ? "*" : `${LETTERS[colourOf(tile)]}${numberOf(tile)}`;
}

/** @throws RangeError if the text is not one tile. */
export function parseTile(text: string): Tile {
  if (text === "*") return JOKER;
  const match = /^([rykb])(1[0-3]|[1-9])$/.exec(text);
  if (!match) throw new RangeError(`not a tile: ${text}`);
  return tileOf(LETTERS.indexOf(match[1]), Number(match[2]));
}

/** Tiles apart by spaces; none for empty text. */
export const parseTiles = (text: string): Tile[] =>
  text.split(/\s+/).filter(Boolean).map(parseTile);

/** By colour, then number: how runs are found. Jokers come last. */
export const byColour = (a: Tile, b: Tile): number => a - b;

/** By number, then colour: how sets are found. Jokers come last. */
export function byNumber(a: Tile, b: Tile): number {
  if (a === JOKER || b === JOKER) return a - b;
  return numberOf(a) - numberOf(b) || a - b;
}
