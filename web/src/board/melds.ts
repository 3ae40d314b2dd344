/**
 * A small check of melds, for lighting up what fits and for saying at once what does not.
 *
 * It follows section 1 of the rules and is compared with the rules engine by vectors that the
 * engine writes (`vectors.json`). Nothing is decided here: the server judges every turn.
 */
import {
  colourOf,
  formatTile,
  isJoker,
  JOKER,
  LETTERS,
  NUMBERS,
  numberOf,
  parseTile,
  type Tile,
  tileOf,
} from "./tiles.ts";

export type Kind = "run" | "set";

/** A meld without identity: what a proposal is made of. */
export interface PlainMeld {
  readonly kind: Kind;
  readonly cells: readonly Tile[];
}

/** One thing that is wrong with a meld, by the codes of the rules engine. */
export interface Fault {
  readonly code: string;
  readonly cell?: number;
  readonly tile?: Tile;
  /** Tiles of which any, in that cell, would mend it. */
  readonly wanted?: readonly Tile[];
  readonly have?: number;
  readonly need?: number;
}

export interface Analysis {
  readonly faults: readonly Fault[];
  /** For each cell the tiles that its joker may stand for; undefined for other cells. */
  readonly roles: readonly (readonly Tile[] | undefined)[];
  /** The sum of its numbers, jokers as what they stand for; 0 if invalid. */
  readonly value: number;
  /** The number of a run's first cell, or of a set; 0 if there is none. */
  readonly start: number;
}

export function analyse(kind: Kind, cells: readonly Tile[]): Analysis {
  const faults: Fault[] = [];
  if (cells.length === 0) faults.push({ code: "meld.empty", have: 0, need: 3 });
  else if (cells.length < 3) {
    faults.push({ code: "meld.too_short", have: cells.length, need: 3 });
  }
  const places = [...cells.keys()].filter((place) => !isJoker(cells[place]));
  if (cells.length && !places.length) faults.push({ code: "meld.no_real_tile" });
  const roles: (readonly Tile[] | undefined)[] = cells.map(() => undefined);
  let value = 0;
  let start = 0;
  if (places.length && kind === "run") {
    const colour = mostCommon(places.map((place) => colourOf(cells[place])));
    start = mostCommon(places.map((place) => numberOf(cells[place]) - place));
    runFaults(cells, colour, start, faults);
    for (const [place, cell] of cells.entries()) {
      const number = start + place;
      if (isJoker(cell) && number >= 1 && number <= NUMBERS)
        roles[place] = [tileOf(colour, number)];
      value += number;
    }
  } else if (places.length) {
    start = mostCommon(places.map((place) => numberOf(cells[place])));
    setFaults(cells, start, faults);
    const held = new Set(places.map((place) => colourOf(cells[place])));
    const lacking = [0, 1, 2, 3].filter((colour) => !held.has(colour));
    if (lacking.length) {
      const number = start;
      for (const [place, cell] of cells.entries()) {
        if (isJoker(cell)) roles[place] = lacking.map((colour) => tileOf(colour, number));
      }
    }
    value = start * cells.length;
  }
  return { faults, roles, value: faults.length ? 0 : value, start };
}

export const isValid = (kind: Kind, cells: readonly Tile[]): boolean =>
  analyse(kind, cells).faults.length === 0;

function runFaults(cells: readonly Tile[], colour: number, start: number, faults: Fault[]): void {
  for (const [cell, tile] of cells.entries()) {
    const number = start + cell;
    const wanted = number >= 1 && number <= NUMBERS ? [tileOf(colour, number)] : [];
    let code = "";
    if (number < 1) code = "meld.below_one";
    else if (number > NUMBERS) code = "meld.above_thirteen";
    else if (!isJoker(tile) && numberOf(tile) !== number) code = "meld.not_consecutive";
    if (code) faults.push({ code, cell, tile, wanted });
    if (!isJoker(tile) && colourOf(tile) !== colour) {
      faults.push({ code: "meld.mixed_colours", cell, tile, wanted });
    }
  }
}

function setFaults(cells: readonly Tile[], number: number, faults: Fault[]): void {
  const real = cells.filter((tile) => !isJoker(tile));
  const held = new Set(real.filter((tile) => numberOf(tile) === number).map(colourOf));
  const wanted = [0, 1, 2, 3]
    .filter((colour) => !held.has(colour))
    .map((colour) => tileOf(colour, number));
  const seen = new Set<number>();
  for (const [cell, tile] of cells.entries()) {
    if (isJoker(tile)) continue;
    if (numberOf(tile) !== number) faults.push({ code: "meld.mixed_numbers", cell, tile, wanted });
    else if (seen.has(colourOf(tile))) {
      faults.push({ code: "meld.duplicate_colour", cell, tile, wanted });
    }
    seen.add(colourOf(tile));
  }
  if (cells.length > 4) faults.push({ code: "meld.too_long", have: cells.length, need: 4 });
}

/** The value that stands most often; of several the one that stands first. */
function mostCommon(values: readonly number[]): number {
  let best = values[0];
  let most = 0;
  for (const value of values) {
    const count = values.filter((other) => other === value).length;
    if (count > most) [best, most] = [value, count];
  }
  return best;
}

/** Every valid meld of exactly these tiles: runs first, lowest first, then the set. */
export function readings(tiles: readonly Tile[]): PlainMeld[] {
  const real = tiles.filter((tile) => !isJoker(tile)).sort((a, b) => a - b);
  const jokers = tiles.length - real.length;
  if (!real.length || tiles.length < 3 || tiles.length > NUMBERS) return [];
  const found: PlainMeld[] = [];
  const colour = colourOf(real[0]);
  const numbers = new Map(real.map((tile) => [numberOf(tile), tile]));
  if (numbers.size === real.length && real.every((tile) => colourOf(tile) === colour)) {
    for (let start = 1; start <= NUMBERS - tiles.length + 1; start += 1) {
      const cells = tiles.map((_, place) => numbers.get(start + place) ?? JOKER);
      if (cells.filter(isJoker).length === jokers) found.push({ kind: "run", cells });
    }
  }
  found.push({ kind: "set", cells: [...real, ...tiles.filter(isJoker)] });
  return found.filter((meld) => isValid(meld.kind, meld.cells));
}

/** The text of a meld as the rules engine writes it: `r4-*-6`, `7rb*`, `run(r4,b5)`. */
export function formatMeld({ kind, cells }: PlainMeld): string {
  const real = cells.filter((tile) => !isJoker(tile));
  if (real.length && kind === "run" && real.every((t) => colourOf(t) === colourOf(real[0]))) {
    const parts = cells.map((tile) => (isJoker(tile) ? "*" : numberOf(tile)));
    return LETTERS[colourOf(real[0])] + parts.join("-");
  }
  if (real.length && kind === "set" && real.every((t) => numberOf(t) === numberOf(real[0]))) {
    const parts = cells.map((tile) => (isJoker(tile) ? "*" : LETTERS[colourOf(tile)]));
    return numberOf(real[0]) + parts.join("");
  }
  return `${kind}(${cells.map(formatTile).join(",")})`;
}

/** Reads the text of a meld. @throws RangeError if it is none. */
export function parseMeld(text: string): PlainMeld {
  const explicit = /^(run|set)\(([^()]*)\)$/.exec(text);
  if (explicit) {
    return {
      kind: explicit[1] as Kind,
      cells: explicit[2].split(",").filter(Boolean).map(parseTile),
    };
  }
  if (/^[rykb](\*|\d+)(-(\*|\d+))*$/.test(text)) {
    const cells = text
      .slice(1)
      .split("-")
      .map((part) => parseTile(part === "*" ? "*" : text[0] + part));
    return { kind: "run", cells };
  }
  const set = /^(\d+)([rykb*]+)$/.exec(text);
  if (!set) throw new RangeError(`not a meld: ${text}`);
  const cells = [...set[2]].map((letter) => parseTile(letter === "*" ? "*" : letter + set[1]));
  return { kind: "set", cells };
}

/** Equal for melds that differ at most in the order of a set's tiles. */
export function meldKey({ kind, cells }: PlainMeld): string {
  const order = kind === "set" ? [...cells].sort((a, b) => a - b) : cells;
  return `${kind}:${order.join(",")}`;
}
