/** The table that "Play now" makes: the last that was set up here, or the default one. */
import type { CreateTable } from "../net/protocol.ts";

const KEY = "meldwise.last-table";

const DEFAULT: Omit<CreateTable, "id"> = {
  seats: [
    { type: "mine" },
    { type: "computer", player: "casual" },
    { type: "computer", player: "casual" },
  ],
  settings: { game: "rrrummy" },
};

export function lastTable(): Omit<CreateTable, "id"> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof found === "object" && found !== null && "seats" in found) {
      return found as Omit<CreateTable, "id">;
    }
  } catch {
    // What cannot be read is as good as nothing.
  }
  return DEFAULT;
}

/** Remembers a table against computer players, to play the like of it at one press. */
export function rememberTable(table: Omit<CreateTable, "id">): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(table));
  } catch {
    // Nothing is lost but the convenience.
  }
}
