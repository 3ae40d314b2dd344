/** A board with the way it came about, for undoing step by step. */
import type { Board } from "./board.ts";

export interface History {
  readonly now: Board;
  readonly past: readonly Board[];
}

const MOST = 200;

export const begin = (board: Board): History => ({ now: board, past: [] });

/** Takes a step; one that changes nothing on the table is no step to come back from. */
export function step(history: History, next: Board): History {
  if (next === history.now) return history;
  if (next.melds === history.now.melds) return { ...history, now: next };
  return { now: next, past: [...history.past.slice(-MOST), history.now] };
}

/** Goes a step back; the order of the hand, which is not part of the turn, stays as it is. */
export function undo(history: History): History {
  const before = history.past.at(-1);
  if (!before) return history;
  return {
    now: { ...before, hand: history.now.hand },
    past: history.past.slice(0, -1),
  };
}
