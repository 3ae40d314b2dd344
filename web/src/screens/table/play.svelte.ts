/**
 * One seat's arranging: the board with its history, what is picked, and what the server says of it.
 *
 * Arranging goes on at all times; out of turn it is a private trial of which only the new melds of
 * own tiles outlive what the others play.
 */
import {
  type Board,
  held,
  isChanged,
  isOfBoard,
  isOwn,
  laid,
  meldOf,
  type Outcome,
  pickUp,
  place,
  proposal,
  type Refusal,
  readAs,
  reset,
  restoreBoard,
  sortHand,
  splitMeld,
  startBoard,
  type Target,
  takeBack,
} from "../../board/board.ts";
import { begin, type History, step, undo } from "../../board/history.ts";
import type { PlainMeld } from "../../board/melds.ts";
import { adopt, type Meld, newPiece, type Piece, reconcileHand } from "../../board/pieces.ts";
import { formatTile, parseTile, type Tile } from "../../board/tiles.ts";
import type { Draft, Event, TableState, Verdict } from "../../net/protocol.ts";
import { isActionOf } from "./steps.ts";
import { plainMeld } from "./words.ts";

/** A verdict with the melds that its places count. */
export interface Checked {
  readonly verdict: Verdict;
  readonly melds: readonly Meld[];
}

export interface PlayOutlet {
  /** The arrangement has changed, and will be kept at the server in a moment. */
  changed(draft: Draft): void;
  /** Keeps the arrangement at the server and answers with what the rules say of it. */
  keep(draft: Draft): Promise<Verdict | undefined>;
  refused(refusal: Refusal, piece: Piece | undefined, meld: Meld | undefined): void;
  /** Something was placed: with what came of it, for sound and words. */
  placed(outcome: Extract<Outcome, { board: Board }>, ids: readonly number[], target: Target): void;
}

const SAVE_PAUSE = 160;

export class Play {
  history: History | undefined = $state.raw();
  selected: readonly number[] = $state.raw([]);
  checked: Checked | undefined = $state.raw();
  /** Tiles that were drawn last, and those that another seat laid last. */
  drawn: ReadonlySet<number> = $state.raw(new Set());
  lastPlay: ReadonlySet<number> = $state.raw(new Set());
  /** Tiles that a hint calls playable; undefined while no hint is shown. */
  playable: ReadonlySet<number> | undefined = $state.raw();

  /** The table as the seat to move arranges it, where that is shown, with identities. */
  foreign: readonly Meld[] | undefined = $state.raw();

  readonly board = $derived(this.history?.now);
  readonly held = $derived(this.board ? held(this.board) : []);
  readonly laid = $derived(this.board ? laid(this.board) : []);
  readonly changed = $derived(this.board ? isChanged(this.board) : false);
  readonly canUndo = $derived((this.history?.past.length ?? 0) > 0);

  /** What lies on the table for the eye: one's own arrangement, or that of the seat to move. */
  readonly shown: readonly Meld[] = $derived(
    (this.changed ? undefined : this.foreign) ?? this.board?.melds ?? [],
  );

  seat: number | undefined;
  private readonly outlet: PlayOutlet;
  private round = 0;
  private turn = 0;
  private revision = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unsaved = false;
  private checking: Promise<Checked | undefined> | undefined;

  constructor(outlet: PlayOutlet) {
    this.outlet = outlet;
  }

  // --- following the server ---------------------------------------------------

  /** Follows the state after some events; says which pieces are new, for showing where from. */
  follow(state: TableState, events: readonly Event[], seat: number | undefined): void {
    const round = state.match?.round;
    if (!round) {
      this.history = undefined;
      this.round = 0;
      return;
    }
    const table = round.table.map(plainMeld);
    const tiles = (state.match?.hands.find((hand) => hand.seat === seat)?.tiles ?? []).map(
      parseTile,
    );
    const old = this.board;
    // A new deal within the round, too: what was tried with the old hand is gone.
    const redealt = events.some((event) => event.type === "redeal_asked");
    const newDeal = round.number !== this.round || seat !== this.seat || !old || redealt;
    const mine = events.some((event) => isActionOf(event, seat));
    if (!newDeal && round.turn === this.turn && !mine && sameTiles(old.hand, tiles)) return;
    const played = events.find((event) => event.type === "played");
    const ownPlay = played !== undefined && played.seat === seat;
    const seen = this.foreign ?? old?.base ?? [];
    const previous = newDeal ? (old?.base ?? []) : ownPlay ? old.melds : seen;
    this.foreign = undefined;
    const base = adopt(previous, table);
    const onTable = new Set(base.flatMap((meld) => meld.cells));
    const order = newDeal ? [] : old.hand.filter((piece) => !onTable.has(piece));
    const { hand, drawn } = reconcileHand(order, tiles);
    const opened = seat !== undefined && (state.seats[seat]?.opened ?? false);
    const start = startBoard(base, hand, seat !== undefined && opened);
    const kept = newDeal || mine ? [] : old.melds.filter((meld) => ofHand(meld, hand));
    this.marks(old?.base ?? [], base, played !== undefined, ownPlay, newDeal, drawn, mine);
    const wasRound = this.round;
    this.round = round.number;
    this.turn = round.turn;
    if (seat !== this.seat || round.number !== wasRound) this.revision = 0;
    this.seat = seat;
    const board = kept.length ? { ...start, melds: [...start.melds, ...kept] } : start;
    // What was tried before one's turn can still be undone.
    this.history = kept.length ? { now: board, past: [start] } : begin(board);
    this.selected = this.selected.filter((id) => board.hand.some((piece) => piece.id === id));
    this.checked = undefined;
    this.playable = undefined;
    if (kept.length || mine || redealt) this.save();
  }

  private marks(
    previous: readonly Meld[],
    base: readonly Meld[],
    played: boolean,
    ownPlay: boolean,
    newDeal: boolean,
    drawn: readonly Piece[],
    mine: boolean,
  ): void {
    if (newDeal) {
      this.drawn = new Set();
      this.lastPlay = new Set();
      return;
    }
    if (played) {
      const before = new Set(previous.flatMap((meld) => meld.cells));
      const fresh = base.flatMap((meld) => meld.cells).filter((piece) => !before.has(piece));
      this.lastPlay = ownPlay ? new Set() : new Set(fresh.map((piece) => piece.id));
    }
    if (drawn.length) this.drawn = new Set(drawn.map((piece) => piece.id));
    else if (mine) this.drawn = new Set();
  }

  /** Rules may let the opening turn go on with table moves. */
  allowTable(allowed: boolean): void {
    if (this.history && allowed && !this.history.now.mayTouch) {
      this.history = { ...this.history, now: { ...this.history.now, mayTouch: true } };
    }
  }

  /**
   * Takes over an arrangement that was kept elsewhere, unless there is a newer one here. Of one
   * that was made in an earlier turn the new melds of own tiles stay, and of one that was made
   * with another hand, as before an own turn, the order.
   */
  restore(draft: Draft): void {
    const board = this.board;
    if (!board || draft.seat !== this.seat || draft.round !== this.round) return;
    if (draft.revision <= this.revision) return;
    this.revision = draft.revision;
    const order = draft.hand.flat();
    let next: Board = { ...reset(board), hand: inOrderOf(board.hand, order) };
    const melds = draft.melds.map((meld) =>
      plainMeld({ kind: meld.kind ?? "run", tiles: meld.tiles }),
    );
    if (!order.length || sameTiles(board.hand, order.map(parseTile))) {
      if (draft.turn === this.turn && isOfBoard(next, melds)) next = restoreBoard(next, melds);
      else if (draft.turn !== this.turn) {
        const restored = restoreBoard(next, melds).melds.filter((meld) => ofHand(meld, next.hand));
        next = { ...next, melds: [...next.melds, ...restored] };
      }
    }
    const past = isChanged(next) ? [reset(next)] : [];
    this.history = { now: next, past };
    this.selected = [];
    this.check();
  }

  /** Shows what the seat to move arranges just now. */
  watch(draft: Draft): void {
    const board = this.board;
    if (!board || draft.round !== this.round || draft.turn !== this.turn) return;
    const melds = draft.melds.map((meld) =>
      plainMeld({ kind: meld.kind ?? "run", tiles: meld.tiles }),
    );
    const known = this.foreign ?? board.base;
    this.foreign = adopt(
      known,
      melds,
      board.base
        .flatMap((meld) => meld.cells)
        .filter((piece) => !known.some((meld) => meld.cells.includes(piece))),
    );
  }

  // --- picking ----------------------------------------------------------------

  /** Picks one more piece, or lays it down again. */
  toggle(id: number): void {
    const board = this.board;
    if (!board) return;
    if (this.selected.includes(id)) {
      this.selected = this.selected.filter((other) => other !== id);
      return;
    }
    const refusal = pickUp(board, [id]);
    if (refusal) {
      this.outlet.refused(refusal, undefined, meldOf(board, id));
      return;
    }
    this.selected = [...this.selected, id];
  }

  selectMeld(id: number): boolean {
    const board = this.board;
    const meld = board?.melds.find((one) => one.id === id);
    if (!board || !meld) return false;
    const ids = meld.cells.map((piece) => piece.id);
    const refusal = pickUp(board, ids);
    if (refusal) {
      this.outlet.refused(refusal, undefined, meld);
      return false;
    }
    this.selected = ids;
    return true;
  }

  clear(): void {
    if (this.selected.length) this.selected = [];
  }

  /**
   * A tap: picks a tile, or places what is picked where the tile lies.
   *
   * @returns whether something was placed.
   */
  tap(id: number, more = false): boolean {
    const board = this.board;
    if (!board) return false;
    const meld = meldOf(board, id);
    const picked = this.selected;
    const inside = picked.every((other) => meld?.cells.some((piece) => piece.id === other));
    if (!meld || picked.length === 0 || more || inside || picked.includes(id)) {
      this.toggle(id);
      return false;
    }
    const cell = meld.cells.findIndex((piece) => piece.id === id);
    return this.move(picked, { to: "meld", meld: meld.id, cell });
  }

  // --- moving -----------------------------------------------------------------

  /** Moves pieces; says whether it was done. */
  move(ids: readonly number[], target: Target): boolean {
    if (!this.board) return false;
    const outcome = place(this.board, ids, target);
    if (outcome.refused) {
      this.outlet.refused(outcome.refused, outcome.piece, outcome.meld);
      return false;
    }
    this.take(outcome.board);
    this.selected = [];
    this.outlet.placed(outcome, ids, target);
    return true;
  }

  /** Cuts a meld in two before one of its tiles. */
  split(meld: number, cell: number): void {
    if (!this.board) return;
    const outcome = splitMeld(this.board, meld, cell);
    if (outcome.refused) {
      if (outcome.meld) this.outlet.refused(outcome.refused, undefined, outcome.meld);
      return;
    }
    this.take(outcome.board);
    this.selected = [];
  }

  takeBack(id: number): void {
    if (!this.board || !isOwn(this.board, id)) return;
    const outcome = takeBack(this.board, id);
    if (!outcome.refused) {
      this.take(outcome.board);
      this.selected = [];
    }
  }

  undo(): void {
    if (!this.history) return;
    this.history = undo(this.history);
    this.changedNow();
  }

  reset(): void {
    if (this.board) this.take(reset(this.board));
    this.selected = [];
  }

  sort(by: "colour" | "number"): void {
    if (this.board) this.take(sortHand(this.board, by));
  }

  readAs(meld: number, reading: PlainMeld): void {
    if (this.board) this.take(readAs(this.board, meld, reading));
  }

  /** Arranges the table as a hint says, from the start of the turn. */
  arrange(melds: readonly PlainMeld[]): void {
    if (this.board) this.take(restoreBoard(reset(this.board), melds));
    this.selected = [];
  }

  private take(board: Board): void {
    if (!this.history) return;
    this.history = step(this.history, board);
    this.changedNow();
  }

  private changedNow(): void {
    this.checked = undefined;
    this.playable = undefined;
    const board = this.board;
    if (board) this.selected = this.selected.filter((id) => stillThere(board, id));
    this.save();
  }

  // --- keeping and checking ---------------------------------------------------

  private save(): void {
    this.unsaved = true;
    const draft = this.draft(this.revision + 1);
    if (draft) this.outlet.changed(draft);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), SAVE_PAUSE);
  }

  /** What the rules say of the arrangement now; asks if that is not known. */
  check(): Promise<Checked | undefined> {
    clearTimeout(this.timer);
    // A verdict that came meanwhile is of the melds: the hand's order may be newer than it.
    if (this.checked && !this.unsaved) return Promise.resolve(this.checked);
    const draft = this.draft(this.revision + 1);
    const melds = this.board?.melds;
    if (!draft || !melds) return Promise.resolve(undefined);
    this.unsaved = false;
    this.revision = draft.revision;
    const asked = this.outlet.keep(draft).then((verdict) => {
      if (!verdict) return undefined;
      const checked = { verdict, melds };
      if (this.board?.melds === melds) this.checked = checked;
      return checked;
    });
    this.checking = asked;
    return asked;
  }

  private draft(revision: number): Draft | undefined {
    const { board, seat, round, turn } = this;
    if (!board || seat === undefined) return undefined;
    const melds = proposal(board).map(({ kind, cells }) => ({
      kind,
      tiles: cells.map(formatTile),
    }));
    const hand = [board.hand.map((piece) => formatTile(piece.tile))];
    return { seat, round, turn, revision, melds, hand };
  }

  /** Waits for what is on its way, and asks again if the board has changed since. */
  async settled(): Promise<Checked | undefined> {
    await this.checking?.catch(() => undefined);
    return this.checked ?? this.check();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

const ofHand = (meld: Meld, hand: readonly Piece[]): boolean =>
  meld.cells.every((piece) => hand.includes(piece));

const stillThere = (board: Board, id: number): boolean =>
  board.hand.some((piece) => piece.id === id) ||
  board.melds.some((meld) => meld.cells.some((piece) => piece.id === id));

function sameTiles(pieces: readonly Piece[], tiles: readonly Tile[]): boolean {
  const order = (list: readonly Tile[]) => [...list].sort((a, b) => a - b).join(",");
  return order(pieces.map((piece) => piece.tile)) === order(tiles);
}

/** The pieces in the order of a kept hand; those that it does not name, as laid ones, come last. */
function inOrderOf(pieces: readonly Piece[], order: readonly string[]): Piece[] {
  const left = [...pieces];
  const first = order.flatMap((text) => {
    const place = left.findIndex((piece) => formatTile(piece.tile) === text);
    return place < 0 ? [] : left.splice(place, 1);
  });
  return [...first, ...left];
}

/** Pieces for showing tiles that nobody arranges, as a hint's. */
export const freshPieces = (tiles: readonly Tile[]): Piece[] => tiles.map(newPiece);
