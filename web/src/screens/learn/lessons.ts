/**
 * The six lessons: hand-made positions on a real table, each about one thing.
 *
 * They run without a server. A lesson is done when its turn could end as the rules of every game
 * allow; that a game judges jokers more strictly is said, and left to the game.
 */
import { type Board, isOld, isOwn, laid, openingValue, valid } from "../../board/board.ts";
import { parseMeld } from "../../board/melds.ts";
import { formatTile } from "../../board/tiles.ts";
import type { Meld as MeldText, Rules, Settings, TableState } from "../../net/protocol.ts";

export interface Lesson {
  readonly name: "melds" | "opening" | "adding" | "rearranging" | "jokers" | "turn";
  /** Melds in the notation of the rules engine. */
  readonly table: readonly string[];
  readonly hand: readonly string[];
  readonly opened: boolean;
  /** Tiles that have to be laid. */
  readonly lay: readonly string[];
  /** Whether the lesson is to draw instead. */
  readonly draw?: string;
}

export const LESSONS: readonly Lesson[] = [
  {
    name: "melds",
    table: [],
    hand: ["r4", "k9", "r5", "b9", "r6", "y9", "k2"],
    opened: true,
    lay: ["r4", "r5", "r6", "k9", "b9", "y9"],
  },
  {
    name: "opening",
    table: ["k3-4-5-6", "11rkb"],
    hand: ["r2", "k2", "b2", "y10", "y11", "y12", "b7"],
    opened: false,
    lay: ["y10", "y11", "y12"],
  },
  {
    name: "adding",
    table: ["b5-6-7", "8rky", "r1-2-3"],
    hand: ["b4", "r4", "b8", "y12", "k6"],
    opened: true,
    lay: ["b4", "r4", "b8"],
  },
  {
    name: "rearranging",
    table: ["k4-5-6-7", "12ryb"],
    hand: ["y7", "b7", "r2", "k10"],
    opened: true,
    lay: ["y7", "b7"],
  },
  {
    name: "jokers",
    table: ["r4-*-6", "13ryk"],
    hand: ["r5", "k9", "b9", "y1"],
    opened: true,
    lay: ["r5", "k9", "b9"],
  },
  {
    name: "turn",
    table: ["r4-5-6", "9kb*"],
    hand: ["y1", "k12", "b3", "r11"],
    opened: true,
    lay: [],
    draw: "b10",
  },
];

export const OPENING = 30;

/** Whether the turn could end like this, and the lesson's tiles are laid. */
export function isDone(lesson: Lesson, board: Board): boolean {
  const own = laid(board).map((piece) => formatTile(piece.tile));
  return (
    lesson.draw === undefined &&
    legal(lesson, board) &&
    lesson.lay.every((tile) => own.includes(tile))
  );
}

/** Whether the turn could end like this. */
export function legal(lesson: Lesson, board: Board): boolean {
  if (laid(board).length === 0 || !board.melds.every(valid)) return false;
  return lesson.opened || openingValue(board) >= OPENING;
}

/** What of a lesson is still to be done, for words: the first that holds. */
export type Lack = "nothing" | "unfinished" | "opening" | "joker" | "more";

export function lackOf(lesson: Lesson, board: Board): Lack | undefined {
  if (isDone(lesson, board)) return undefined;
  if (laid(board).length === 0) return "nothing";
  const bad = board.melds.filter((meld) => !valid(meld));
  const freed = bad.some((meld) =>
    meld.cells.some((piece) => piece.tile === 52 && !isOwn(board, piece.id)),
  );
  if (freed) return "joker";
  if (bad.length) return "unfinished";
  if (!lesson.opened && openingValue(board) < OPENING) return "opening";
  return "more";
}

/** Whether the lesson's table has been touched. */
export const touched = (board: Board): boolean =>
  board.melds.some((meld) => isOld(board, meld) && !board.base.includes(meld));

function meldText(text: string): MeldText {
  const { kind, cells } = parseMeld(text);
  return { kind, tiles: cells.map(formatTile), jokers: [] };
}

/** The lesson as a state of a table: the learner at seat 0, another player opposite. */
export function stateOf(lesson: Lesson, number: number, me: string, other: string): TableState {
  const seat = (name: string, tiles: number, opened: boolean): TableState["seats"][number] => ({
    kind: "person",
    name,
    user: null,
    player: null,
    connected: true,
    away_until: null,
    left: false,
    stand_in: null,
    ready: true,
    wants_pause: false,
    total: 0,
    tiles,
    opened,
    skips: 0,
  });
  return {
    seq: number,
    status: "playing",
    host: "",
    mine: [0],
    rematch: null,
    clock: { now: 0, deadline: null, left: null, what: null },
    seats: [seat(me, lesson.hand.length, lesson.opened), seat(other, 9, true)],
    match: {
      next_round: number + 1,
      results: [],
      winners: null,
      commitment: null,
      hands: [{ seat: 0, tiles: [...lesson.hand], may_redeal: false }],
      round: {
        number,
        first: 0,
        seat: 0,
        turn: 1,
        stock: 52,
        passes: 0,
        turns_left: null,
        over: false,
        table: lesson.table.map(meldText),
      },
    },
  };
}

/** The settings of the lessons' table: of the rules only what the table itself reads. */
export const lessonSettings = (theme: string): Settings => ({
  title: "",
  game: "rrrummy",
  game_title: "",
  rules: { opening_minimum: OPENING, opening_table_moves: false, timer: null } as Rules,
  rules_text: "",
  private: true,
  spectators: false,
  drafts_shown: false,
  hints: false,
  chat: "none",
  pace: "natural",
  theme,
});
