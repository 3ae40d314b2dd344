/**
 * The table as it was shown last, for a page that is loaded anew while the server is away: it
 * begins with that instead of an empty table. Only this tab has it, and only the newest one.
 */
import type { Draft, Settings, TableState } from "../net/protocol.ts";

export interface Snapshot {
  readonly table: string;
  readonly user: string;
  readonly settings: Settings;
  readonly state: TableState;
  /** The newest arrangements of the own seats. */
  readonly drafts: readonly Draft[];
}

const KEY = "meldwise.snapshot";

export function keepSnapshot(snapshot: Snapshot | undefined): void {
  try {
    if (snapshot) sessionStorage.setItem(KEY, JSON.stringify(snapshot));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without it the table is empty until the server is back.
  }
}

/** The last look at a table, without its clock: how much time is left only the server knows. */
export function lastSnapshot(table: string): Snapshot | undefined {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Snapshot | null;
    if (found?.table !== table) return undefined;
    const clock = { ...found.state.clock, deadline: null, left: null, what: null };
    return { ...found, state: { ...found.state, clock } };
  } catch {
    return undefined;
  }
}
