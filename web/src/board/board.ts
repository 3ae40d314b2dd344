/**
 * The table as a player arranges it: operations as pure functions from board to board.
 *
 * Everything may be tried; nothing is lost. What the rules forbid at once (touching the table
 * before opening, taking a tile of the table into the hand) is refused with the code of the
 * reason; what is merely unfinished is allowed and marked.
 */
import { type Arranged, arrange, parts } from "./arrange.ts";
import { analyse, isValid, type Kind, type PlainMeld, readings } from "./melds.ts";
import { adopt, type Meld, newId, newMeld, type Piece, plain } from "./pieces.ts";
import { byColour, byNumber, isJoker, type Tile } from "./tiles.ts";

export interface Board {
  /** The table at the start of the turn. */
  readonly base: readonly Meld[];
  /** The melds and groups as arranged. */
  readonly melds: readonly Meld[];
  /** All tiles of the hand at the start of the turn, in the player's own order. */
  readonly hand: readonly Piece[];
  /** Whether the melds of the table may be used in this turn. */
  readonly mayTouch: boolean;
}

/** Where pieces go. */
export type Target =
  | { readonly to: "meld"; readonly meld: number; readonly cell?: number }
  | { readonly to: "new" }
  | { readonly to: "hand"; readonly index?: number };

export type Refusal = "turn.table_before_opening" | "board.stays_on_table" | "board.nothing_picked";

/** What came of an operation; `changed` are melds worth looking at. */
export type Outcome =
  | {
      readonly board: Board;
      readonly refused?: undefined;
      /** Jokers that were freed by this, and tiles that could not join and lie apart. */
      readonly freed: readonly Piece[];
      readonly apart: readonly Piece[];
      readonly split: boolean;
    }
  | { readonly refused: Refusal; readonly piece?: Piece; readonly meld?: Meld };

export function startBoard(
  base: readonly Meld[],
  hand: readonly Piece[],
  mayTouch: boolean,
): Board {
  return { base, melds: base, hand, mayTouch };
}

/** A board from an arrangement that was kept elsewhere, as after a reload. */
export function restoreBoard(start: Board, melds: readonly PlainMeld[]): Board {
  return { ...start, melds: adopt(start.base, melds, start.hand) };
}

/** Whether an arrangement is one of this turn: all of the table, and of the rest only the hand. */
export function isOfBoard(start: Board, melds: readonly PlainMeld[]): boolean {
  const left = new Map<Tile, number>();
  const count = (tile: Tile, by: number) => left.set(tile, (left.get(tile) ?? 0) + by);
  for (const tile of melds.flatMap((meld) => meld.cells)) count(tile, 1);
  for (const piece of start.base.flatMap((meld) => meld.cells)) count(piece.tile, -1);
  if ([...left.values()].some((more) => more < 0)) return false;
  for (const piece of start.hand) count(piece.tile, -1);
  return [...left.values()].every((more) => more <= 0);
}

// --- looking ------------------------------------------------------------------

export const isOwn = (board: Board, id: number): boolean =>
  board.hand.some((piece) => piece.id === id);

export const meldOf = (board: Board, id: number): Meld | undefined =>
  board.melds.find((meld) => meld.cells.some((piece) => piece.id === id));

export function pieceOf(board: Board, id: number): Piece | undefined {
  return (
    board.hand.find((piece) => piece.id === id) ??
    board.melds.flatMap((meld) => meld.cells).find((piece) => piece.id === id)
  );
}

/** The tiles of the hand that are not on the table now, in order. */
export function held(board: Board): Piece[] {
  const laid = new Set(board.melds.flatMap((meld) => meld.cells.map((piece) => piece.id)));
  return board.hand.filter((piece) => !laid.has(piece.id));
}

/** The own tiles that lie on the table now. */
export function laid(board: Board): Piece[] {
  const still = new Set(held(board));
  return board.hand.filter((piece) => !still.has(piece));
}

/** The melds that differ from the table at the start. */
export function changedMelds(board: Board): Meld[] {
  return board.melds.filter((meld) => !board.base.includes(meld));
}

export const isChanged = (board: Board): boolean =>
  board.melds.length !== board.base.length || changedMelds(board).length > 0;

/** Whether a meld is, or has grown from, one that was there at the start. */
export const isOld = (board: Board, meld: Meld): boolean =>
  board.base.some((old) => old.id === meld.id);

/** Whether the rules let this meld be touched in this turn. */
export const mayUse = (board: Board, meld: Meld): boolean => board.mayTouch || !isOld(board, meld);

export const valid = (meld: Meld): boolean =>
  isValid(
    meld.kind,
    meld.cells.map((piece) => piece.tile),
  );

/** Whether nothing is wrong with a group but that it is short. */
const promising = (meld: Meld): boolean =>
  analyse(meld.kind, plain(meld).cells).faults.every((fault) => fault.code === "meld.too_short");

/** Tiles that lay on the table and now lie in no meld: they must be placed before Done. */
export function homeless(board: Board): Piece[] {
  const own = new Set(board.hand);
  return board.melds
    .filter((meld) => !valid(meld))
    .flatMap((meld) => meld.cells)
    .filter((piece) => !own.has(piece));
}

/** The value of the new melds of a player who has not opened. */
export function openingValue(board: Board): number {
  return changedMelds(board)
    .filter((meld) => !isOld(board, meld))
    .reduce((sum, meld) => sum + analyse(meld.kind, plain(meld).cells).value, 0);
}

/** The melds as a proposal, in the order of the board. */
export const proposal = (board: Board): PlainMeld[] => board.melds.map(plain);

/** Where the pieces would make or keep a meld, or begin one: what lights up while they are held. */
export function fitting(board: Board, ids: readonly number[]): Set<number> {
  const found = new Set<number>();
  const moving = new Set(ids);
  for (const meld of board.melds) {
    if (!mayUse(board, meld) || meld.cells.every((piece) => moving.has(piece.id))) continue;
    const outcome = place(board, ids, { to: "meld", meld: meld.id });
    if (outcome.refused || outcome.apart.length) continue;
    const landed = outcome.board.melds.filter((after) =>
      after.cells.some((piece) => moving.has(piece.id)),
    );
    if (landed.every(promising)) found.add(meld.id);
  }
  return found;
}

// --- moving -------------------------------------------------------------------

/** Whether these pieces may be picked up at all, or why not. */
export function pickUp(board: Board, ids: readonly number[]): Refusal | undefined {
  if (ids.length === 0) return "board.nothing_picked";
  for (const id of ids) {
    const meld = meldOf(board, id);
    if (meld && !mayUse(board, meld)) return "turn.table_before_opening";
  }
  return undefined;
}

/** Moves pieces; see the file's head for what is refused. */
export function place(board: Board, ids: readonly number[], target: Target): Outcome {
  const refused = pickUp(board, ids);
  if (refused) return { refused, meld: ids.length ? meldOf(board, ids[0]) : undefined };
  const pieces = inOrder(board, ids);
  if (target.to === "hand") return toHand(board, pieces, target.index);
  if (target.to === "new") {
    const arranged = arrange(pieces, "run");
    const rest = without(board, pieces);
    return done({ ...rest, melds: [...rest.melds, ...asMelds(arranged, undefined)] });
  }
  const aim = board.melds.find((meld) => meld.id === target.meld);
  if (!aim) return place(board, ids, { to: "new" });
  if (!mayUse(board, aim)) return { refused: "turn.table_before_opening", meld: aim };
  const coming = pieces.filter((piece) => !aim.cells.includes(piece));
  if (coming.length === 0) return reorder(board, aim, pieces, target.cell);
  return toMeld(board, aim, coming, target.cell);
}

function toHand(board: Board, pieces: readonly Piece[], index: number | undefined): Outcome {
  const foreign = pieces.find((piece) => !board.hand.includes(piece));
  if (foreign) return { refused: "board.stays_on_table", piece: foreign };
  const rest = without(board, pieces);
  if (index === undefined) return done(rest);
  // The index counts what is seen in the hand, the moved pieces among it.
  const seen = held(rest);
  const before = seen.slice(0, index).findLast((piece) => !pieces.includes(piece));
  const hand = board.hand.filter((piece) => !pieces.includes(piece));
  const at = before ? hand.indexOf(before) + 1 : 0;
  return done({ ...rest, hand: [...hand.slice(0, at), ...pieces, ...hand.slice(at)] });
}

function toMeld(
  board: Board,
  aim: Meld,
  pieces: readonly Piece[],
  cell: number | undefined,
): Outcome {
  const cleared = without(board, pieces);
  const all = insert(aim.cells, pieces, cell);
  const together = arrange(all, aim.kind);
  if (pieces.length > 1 && validArranged(together)) {
    return done(withMelds(cleared, aim, asMelds(together, aim.id)));
  }
  // One by one, those first that make a meld.
  let now = cleared;
  let freed: Piece[] = [];
  let apart: Piece[] = [];
  let split = false;
  const waiting = [...pieces];
  while (waiting.length) {
    const current = now.melds.find((meld) => meld.id === aim.id);
    if (!current) break;
    const next = waiting.findIndex((piece) => fits(current, piece));
    const [piece] = waiting.splice(Math.max(0, next), 1);
    const step = addOne(now, current, piece, cell);
    now = step.board;
    freed = [...freed, ...step.freed];
    apart = [...apart, ...step.apart];
    split ||= step.split;
  }
  return { board: now, freed, apart, split };
}

function fits(meld: Meld, piece: Piece): boolean {
  return validArranged(arrange([...meld.cells, piece], meld.kind));
}

interface Step {
  board: Board;
  freed: Piece[];
  apart: Piece[];
  split: boolean;
}

/** Adds one piece to a meld: replaces a joker, splits a run, or finds its place. */
function addOne(board: Board, meld: Meld, piece: Piece, cell: number | undefined): Step {
  const step: Step = { board, freed: [], apart: [], split: false };
  const joker = jokerFor(meld, piece, cell);
  if (joker) {
    const cells = meld.cells.map((other) => (other === joker ? piece : other));
    step.board = withMelds(board, meld, [{ ...meld, cells }]);
    if (!isOwn(board, joker.id)) {
      step.board = { ...step.board, melds: [...step.board.melds, newMeld("run", [joker])] };
      step.freed.push(joker);
    }
    return step;
  }
  const twin = twinIn(meld, piece);
  if (twin) {
    const at = meld.cells.indexOf(twin);
    const left = meld.cells.slice(0, at + 1);
    const right = [piece, ...meld.cells.slice(at + 1)];
    if (left.length >= 3 && right.length >= 3) {
      step.split = true;
      step.board = withMelds(board, meld, [{ ...meld, cells: left }, newMeld("run", right)]);
    } else {
      step.apart.push(piece);
      step.board = { ...board, melds: [...board.melds, newMeld("run", [piece])] };
    }
    return step;
  }
  const arranged = arrange(insert(meld.cells, [piece], cell), meld.kind);
  step.board = withMelds(board, meld, asMelds(arranged, meld.id));
  return step;
}

/** The joker that the piece would take the place of, if it is to. */
function jokerFor(meld: Meld, piece: Piece, cell: number | undefined): Piece | undefined {
  if (isJoker(piece.tile)) return undefined;
  const { roles, faults } = analyse(meld.kind, plain(meld).cells);
  if (faults.length) return undefined;
  const places = [...roles.keys()].filter((place) => roles[place]?.includes(piece.tile));
  if (!places.length) return undefined;
  if (cell !== undefined && places.includes(cell)) return meld.cells[cell];
  // In a run there is no other place for it; a set of three takes it beside the joker.
  return meld.kind === "run" || meld.cells.length === 4 ? meld.cells[places[0]] : undefined;
}

/** The tile of a run that the piece equals in number: where the run would split. */
function twinIn(meld: Meld, piece: Piece): Piece | undefined {
  if (meld.kind !== "run" || isJoker(piece.tile) || !valid(meld) || meld.cells.length < 3) {
    return undefined;
  }
  return meld.cells.find((other) => other.tile === piece.tile);
}

function reorder(
  board: Board,
  meld: Meld,
  pieces: readonly Piece[],
  cell: number | undefined,
): Outcome {
  if (cell === undefined || pieces.length === meld.cells.length) return done(board);
  const rest = meld.cells.filter((piece) => !pieces.includes(piece));
  const arranged = arrange(insert(rest, pieces, cell), meld.kind);
  return done(withMelds(board, meld, [{ ...meld, ...arranged }]));
}

/** Takes one own tile back to its place in the hand. */
export const takeBack = (board: Board, id: number): Outcome => place(board, [id], { to: "hand" });

/** Cuts a group in two before a cell. */
export function splitMeld(board: Board, id: number, cell: number): Outcome {
  const meld = board.melds.find((one) => one.id === id);
  if (!meld || cell <= 0 || cell >= meld.cells.length) return { refused: "board.nothing_picked" };
  if (!mayUse(board, meld)) return { refused: "turn.table_before_opening", meld };
  const left = arrange(meld.cells.slice(0, cell), meld.kind);
  const right = arrange(meld.cells.slice(cell), meld.kind);
  return done(
    withMelds(board, meld, [
      { id: meld.id, ...left },
      { id: newId(), ...right },
    ]),
  );
}

/** The other melds that a group with jokers can be, besides what it is. */
export function otherReadings(meld: Meld): PlainMeld[] {
  const now = plain(meld);
  if (!now.cells.some(isJoker)) return [];
  return readings(now.cells)
    .filter((reading) => reading.kind !== now.kind || `${reading.cells}` !== `${now.cells}`)
    .filter((reading) => !(reading.kind === "set" && now.kind === "set"));
}

/** Reads a group with jokers in another way. */
export function readAs(board: Board, id: number, reading: PlainMeld): Board {
  const meld = board.melds.find((one) => one.id === id);
  if (!meld || !mayUse(board, meld)) return board;
  const pool = [...meld.cells];
  const cells = reading.cells.map((tile) => {
    const [piece] = pool.splice(
      pool.findIndex((one) => one.tile === tile),
      1,
    );
    return piece;
  });
  return withMelds(board, meld, [{ id: meld.id, kind: reading.kind, cells }]);
}

/** The start of the turn again; the order of the hand stays. */
export const reset = (board: Board): Board => ({ ...board, melds: board.base });

/** The hand sorted on request; nothing else changes. */
export function sortHand(board: Board, by: "colour" | "number"): Board {
  const compare: (a: Tile, b: Tile) => number = by === "colour" ? byColour : byNumber;
  return { ...board, hand: [...board.hand].sort((a, b) => compare(a.tile, b.tile) || a.id - b.id) };
}

// --- parts --------------------------------------------------------------------

const done = (board: Board): Outcome => ({ board, freed: [], apart: [], split: false });

/** Pieces in the order they were named, but those of one meld in the order they lie in. */
function inOrder(board: Board, ids: readonly number[]): Piece[] {
  const pieces = ids.map((id) => pieceOf(board, id)).filter((piece) => piece !== undefined);
  const meld = meldOf(board, ids[0]);
  if (meld && pieces.every((piece) => meld.cells.includes(piece))) {
    return meld.cells.filter((piece) => pieces.includes(piece));
  }
  return pieces;
}

/** The board without pieces on its table; runs with a hole fall apart where both parts hold. */
function without(board: Board, pieces: readonly Piece[]): Board {
  const gone = new Set(pieces);
  if (!board.melds.some((meld) => meld.cells.some((piece) => gone.has(piece)))) return board;
  const melds = board.melds.flatMap((meld) => {
    const cells = meld.cells.filter((piece) => !gone.has(piece));
    if (cells.length === meld.cells.length) return [meld];
    if (cells.length === 0) return [];
    return asMelds(keepKind(cells, meld.kind), meld.id);
  });
  return recognise({ ...board, melds });
}

/** What is left of a meld is still one of its kind, as long as it can be. */
function keepKind(cells: readonly Piece[], kind: Kind): Arranged {
  return kind === "set" ? { kind, cells } : arrange(cells, kind);
}

function asMelds(arranged: Arranged, id: number | undefined): Meld[] {
  return parts(arranged).map((part, index) => ({
    id: index === 0 && id !== undefined ? id : newId(),
    kind: part.kind,
    cells: part.cells,
  }));
}

function withMelds(board: Board, meld: Meld, instead: readonly Meld[]): Board {
  const melds = board.melds.flatMap((other) => (other.id === meld.id ? instead : [other]));
  return recognise({ ...board, melds });
}

/** A meld that is again what it was is the very same again, and so counts as unchanged. */
function recognise(board: Board): Board {
  const melds = board.melds.map((meld) => {
    const known = board.base.find((old) => old.id === meld.id);
    return known && sameMeld(meld, known) ? known : meld;
  });
  return { ...board, melds };
}

const sameMeld = (a: Meld, b: Meld): boolean =>
  a.kind === b.kind &&
  a.cells.length === b.cells.length &&
  a.cells.every((piece, cell) => piece === b.cells[cell]);

function insert(
  cells: readonly Piece[],
  pieces: readonly Piece[],
  cell: number | undefined,
): Piece[] {
  const at = cell ?? cells.length;
  return [...cells.slice(0, at), ...pieces, ...cells.slice(at)];
}

const validArranged = (arranged: Arranged): boolean =>
  isValid(
    arranged.kind,
    arranged.cells.map((piece) => piece.tile),
  );
