/**
 * A table as it is planned: who sits where, the rules, and how it is kept. The last plan of each
 * way to play is remembered, so that the next table is one press away.
 */
import { call, newKey } from "../net/api.ts";
import type {
  ComputerLevel,
  CreateTable,
  GamesPage,
  NewSeat,
  TableChanges,
  TablePage,
} from "../net/protocol.ts";
import { rememberTable } from "./last.ts";
import type { Changes } from "./rules.ts";

export const MODES = ["alone", "friends", "device"] as const;
export type Mode = (typeof MODES)[number];

export type PlannedSeat =
  | { readonly type: "me" }
  | { readonly type: "person"; readonly name: string }
  | { readonly type: "open" }
  | { readonly type: "computer"; readonly player: string };

export interface Plan {
  mode: Mode;
  seats: PlannedSeat[];
  game: string;
  changes: Changes;
  /** The name of the own mixture that the rules come from; empty for none. */
  mixture: string;
  title: string;
  private: boolean;
  spectators: boolean;
  drafts_shown: boolean;
  hints: boolean;
  chat: "all" | "phrases" | "none";
  pace: "natural" | "quick" | "none";
  theme: string;
}

const KEY = "meldwise.plan.";

/** The computer players that people choose from: the levels, if the server has any. */
export function levelsOf(page: GamesPage): readonly ComputerLevel[] {
  const levels = page.computers.filter((one) => one.description !== "");
  return levels.length ? levels : page.computers;
}

/** The computer player to begin with: the one for newcomers, or in the middle of all. */
export const usualComputer = (page: GamesPage): string =>
  (
    page.computers.find((one) => one.usual) ??
    page.computers[Math.floor((page.computers.length - 1) / 2)]
  ).player;

function freshPlan(mode: Mode, page: GamesPage, names: readonly string[], theme: string): Plan {
  const computer: PlannedSeat = { type: "computer", player: usualComputer(page) };
  const seats: Record<Mode, PlannedSeat[]> = {
    alone: [{ type: "me" }, computer, computer],
    friends: [{ type: "me" }, { type: "open" }],
    device: names.slice(0, 2).map((name) => ({ type: "person", name })),
  };
  return {
    mode,
    seats: seats[mode],
    game: page.games.find((game) => game.name === "rrrummy")?.name ?? page.games[0].name,
    changes: {},
    mixture: "",
    title: "",
    private: true,
    spectators: true,
    drafts_shown: false,
    hints: true,
    chat: "all",
    pace: "natural",
    theme,
  };
}

/**
 * The last plan for a way to play, as far as the server still knows its parts; otherwise a fresh
 * one.
 *
 * @param names names for people around one device.
 * @param theme the room to begin with.
 */
export function recallPlan(
  mode: Mode,
  page: GamesPage,
  names: readonly string[],
  theme: string,
): Plan {
  const fresh = freshPlan(mode, page, names, theme);
  const kept = read(mode);
  if (!kept) return fresh;
  const plan: Plan = { ...fresh };
  for (const name of Object.keys(fresh) as (keyof Plan)[]) {
    if (typeof kept[name] === typeof fresh[name]) Object.assign(plan, { [name]: kept[name] });
  }
  const known = new Set(page.computers.map((level) => level.player));
  const seats = Array.isArray(kept.seats) ? (kept.seats as PlannedSeat[]) : [];
  plan.mode = mode;
  plan.seats = seats.filter((seat) => isSeat(seat, mode, known));
  if (plan.seats.length !== seats.length || plan.seats.length < 2) plan.seats = fresh.seats;
  const rules = new Set(page.fields.map((field) => field.name));
  if (!page.games.some((game) => game.name === plan.game)) {
    return { ...plan, game: fresh.game, changes: {}, mixture: "" };
  }
  plan.changes = Object.fromEntries(
    Object.entries(plan.changes ?? {}).filter(([field]) => rules.has(field)),
  );
  return plan;
}

function isSeat(seat: PlannedSeat, mode: Mode, known: ReadonlySet<string>): boolean {
  switch (seat?.type) {
    case "computer":
      return known.has(seat.player);
    case "person":
      return mode === "device" && typeof seat.name === "string";
    case "open":
      return mode === "friends";
    case "me":
      return mode !== "device";
    default:
      return false;
  }
}

export function rememberPlan(plan: Plan): void {
  try {
    localStorage.setItem(KEY + plan.mode, JSON.stringify(plan));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

function read(mode: Mode): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY + mode) ?? "null");
    return typeof found === "object" && found !== null
      ? (found as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What of a plan the server keeps as the table's settings. */
export function settingsOf(plan: Plan): TableChanges {
  const { title, game, private: hidden, spectators, drafts_shown, hints, chat, pace, theme } = plan;
  return {
    title,
    game,
    rules: { ...plan.changes },
    private: plan.mode === "friends" ? hidden : true,
    spectators: plan.mode === "friends" && spectators,
    drafts_shown,
    hints,
    chat,
    pace,
    theme,
  };
}

function seatOf(seat: PlannedSeat): NewSeat {
  switch (seat.type) {
    case "me":
      return { type: "mine" };
    case "person":
      return { type: "mine", name: seat.name.trim() };
    case "open":
      return { type: "open" };
    case "computer":
      return { type: "computer", player: seat.player };
  }
}

/** The request that opens the planned table; one without open seats starts at once. */
export const requestOf = (plan: Plan): CreateTable => ({
  id: newKey(),
  seats: plan.seats.map(seatOf),
  settings: settingsOf(plan),
  start: plan.seats.every((seat) => seat.type !== "open"),
});

/**
 * Opens a table and remembers its plan.
 *
 * @throws ApiError if the server refuses it.
 */
export async function openTable(plan: Plan): Promise<TablePage> {
  const request = requestOf(plan);
  const page = await call<TablePage>("POST", "/api/v1/tables", { body: request });
  rememberPlan(plan);
  const { id: _, ...again } = request;
  if (plan.mode === "alone") rememberTable(again);
  return page;
}
