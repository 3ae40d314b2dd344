/**
 * The rules of a table as they are set up: a named game and what differs from it.
 *
 * Nothing is judged here but what a control can hold; whether a mixture is possible the server
 * says. The text form is the one of docs/rules.md: a game's name, then `field=value`.
 */
import type { Game, RuleField, Rules } from "../net/protocol.ts";

export type Value = string | number | boolean | null;
export type Changes = Readonly<Record<string, Value>>;

/** A game and what is changed in it. */
export interface Mixture {
  readonly game: string;
  readonly changes: Changes;
}

/** A mixture that was saved, under a name of the user's own. */
export interface SavedMixture extends Mixture {
  readonly name: string;
}

export const ruleValue = (game: Game, changes: Changes, field: string): Value =>
  field in changes ? changes[field] : game.rules[field as keyof Rules];

/** The changes with a field set; a value that is the game's own is no change. */
export function withValue(game: Game, changes: Changes, field: string, value: Value): Changes {
  const { [field]: _, ...rest } = changes;
  return game.rules[field as keyof Rules] === value ? rest : { ...rest, [field]: value };
}

/** The same changes seen from another game: what that game has by itself is left out. */
export function rebase(from: Game, to: Game, changes: Changes): Changes {
  let result: Changes = {};
  for (const [field, value] of Object.entries(changes)) {
    if (from.rules[field as keyof Rules] !== value) result = withValue(to, result, field, value);
  }
  return result;
}

/** The least and the greatest value of a number; the length of a match depends on how it ends. */
export function limits(field: RuleField, game: Game, changes: Changes): [number, number] {
  const end = String(ruleValue(game, changes, "match_end"));
  const range = field.ranges[end];
  if (range) return [range[0], range[1]];
  return [field.low ?? 0, field.high ?? 9999];
}

/** How far one press of plus or minus goes: small numbers by one, large ones in round steps. */
export function stepOf(field: RuleField, game: Game, changes: Changes): number {
  const [low, high] = limits(field, game, changes);
  const span = high - low;
  if (field.unit === "seconds" && field.name !== "match_length") return 10;
  if (span <= 30) return 1;
  if (span <= 400) return 5;
  return span <= 5000 ? 50 : 300;
}

/** A number moved by one step, onto a round one, within the limits. */
export function stepped(
  value: number,
  step: number,
  up: boolean,
  low: number,
  high: number,
): number {
  const next = up ? Math.floor(value / step + 1) * step : Math.ceil(value / step - 1) * step;
  return Math.min(high, Math.max(low, next));
}

/** The level J0 to J4 whose joker rules these are; undefined for a mixture of one's own. */
export function jokerLevel(
  game: Game,
  changes: Changes,
  levels: readonly Changes[],
): number | undefined {
  const level = levels.findIndex((flags) =>
    Object.entries(flags).every(([field, value]) => ruleValue(game, changes, field) === value),
  );
  return level < 0 ? undefined : level;
}

/** The changes with the joker rules of a level. */
export function withLevel(game: Game, changes: Changes, flags: Changes): Changes {
  return Object.entries(flags).reduce<Changes>(
    (all, [field, value]) => withValue(game, all, field, value),
    changes,
  );
}

// --- text ---------------------------------------------------------------------

const plain = (value: Value): string =>
  value === null ? "off" : value === true ? "yes" : value === false ? "no" : String(value);

/** A saved mixture on one line: `Friday evening: tiles-50 timer=60`. */
export function formatMixture({ name, game, changes }: SavedMixture): string {
  const words = Object.entries(changes).map(([field, value]) => `${field}=${plain(value)}`);
  return `${name}: ${[game, ...words].join(" ")}`;
}

/** What was wrong with a line of text, and which line it was, from 1. */
export interface TextFault {
  readonly line: number;
  readonly kind: "form" | "game" | "field" | "value";
  readonly word: string;
}

/** Reads mixtures, one a line; empty lines and lines that begin with # are left out. */
export function parseMixtures(
  text: string,
  games: readonly Game[],
  fields: readonly RuleField[],
): { mixtures: SavedMixture[]; faults: TextFault[] } {
  const mixtures: SavedMixture[] = [];
  const faults: TextFault[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (!line || line.startsWith("#")) continue;
    const found = parseLine(line, games, fields);
    if ("kind" in found) faults.push({ line: index + 1, ...found });
    else mixtures.push(found);
  }
  return { mixtures, faults };
}

function parseLine(
  line: string,
  games: readonly Game[],
  fields: readonly RuleField[],
): SavedMixture | Omit<TextFault, "line"> {
  const colon = line.lastIndexOf(":");
  const name = line.slice(0, colon).trim().slice(0, 60);
  const [gameName, ...words] = line
    .slice(colon + 1)
    .trim()
    .split(/\s+/);
  if (colon < 1 || !name || !gameName) return { kind: "form", word: line.slice(0, 40) };
  const game = games.find((one) => one.name === gameName);
  if (!game) return { kind: "game", word: gameName };
  let changes: Changes = {};
  for (const word of words) {
    const [fieldName, text] = word.split("=", 2);
    const field = fields.find((one) => one.name === fieldName.replaceAll("-", "_"));
    if (!field || text === undefined) return { kind: "field", word };
    const value = parseValue(field, text);
    if (value === undefined) return { kind: "value", word };
    changes = withValue(game, changes, field.name, value);
  }
  return { name, game: gameName, changes };
}

function parseValue(field: RuleField, text: string): Value | undefined {
  if (field.kind === "switch") {
    return (
      ["yes", "true", "on"].includes(text) ||
      (["no", "false", "off"].includes(text) ? false : undefined)
    );
  }
  if (field.kind === "choice") {
    return field.choices.some((choice) => choice.value === text) ? text : undefined;
  }
  if (field.kind === "optional_integer" && text === "off") return null;
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
