/**
 * A finished match as pictures that follow each other: one for each step, and between two
 * steps one for each tile that moves. Pieces keep their identity throughout, so that what moves
 * can be seen to move.
 */
import type { PlainMeld } from "../../board/melds.ts";
import { adopt, type Meld, newPiece, type Piece, reconcileHand } from "../../board/pieces.ts";
import { byColour, parseTile } from "../../board/tiles.ts";
import type { Event, Hand, Meld as MeldText, ReplayPage } from "../../net/protocol.ts";

export interface Frame {
  readonly melds: readonly Meld[];
  readonly hands: readonly (readonly Piece[])[];
  /** The pieces that moved to make this picture. */
  readonly moved: ReadonlySet<number>;
}

/** One step of the match. */
export interface Position {
  /** Its pictures; the last one is the state after the step. */
  readonly frames: readonly Frame[];
  readonly round: number;
  readonly turn: number;
  /** Who acted, if a seat did. */
  readonly seat: number | null;
  readonly kind: Kind;
  /** How many tiles were played or drawn. */
  readonly count: number;
  readonly stock: number;
}

export type Kind =
  | "start" | "played" | "opened" | "drew" | "passed" | "penalised" | "left" | "returned" | "over" | "other"; // biome-ignore format: short words

const plainMeld = (meld: MeldText): PlainMeld => ({
  kind: meld.kind,
  cells: meld.tiles.map(parseTile),
});

/** All positions of a match; the first of each round shows the deal. */
export function positions(page: ReplayPage): Position[] {
  const found: Position[] = [];
  let before: Frame = { melds: [], hands: page.names.map(() => []), moved: new Set() };
  let round = 0;
  for (const step of page.steps) {
    const match = step.state.match;
    const now = match?.round;
    if (!match || !now) continue;
    const fresh = now.number !== round;
    round = now.number;
    if (fresh) before = { melds: [], hands: page.names.map(() => []), moved: new Set() };
    const frames = unfold(before, now.table.map(plainMeld), match.hands, page.names.length);
    const { kind, seat, count } = whatHappened(step.events);
    found.push({
      frames: fresh ? frames.slice(-1) : frames,
      round,
      turn: turnOf(step.events, found.at(-1), now.turn, fresh),
      seat,
      kind: fresh ? "start" : kind,
      count,
      stock: step.stock.length,
    });
    before = frames[frames.length - 1];
  }
  return found;
}

function turnOf(
  events: readonly Event[],
  last: Position | undefined,
  now: number,
  fresh: boolean,
): number {
  if (fresh) return 0;
  // The state after a step names the next turn already.
  return events.some((event) => event.type === "turn_began")
    ? now - 1
    : Math.max(now, last?.turn ?? 0);
}

function whatHappened(events: readonly Event[]): Pick<Position, "kind" | "seat" | "count"> {
  for (const event of events) {
    switch (event.type) {
      case "played": {
        const kind = event.opening === null ? "played" : "opened";
        return { kind, seat: event.seat, count: event.tiles.length };
      }
      case "drew":
      case "penalised":
        return { kind: event.type, seat: event.seat, count: event.count };
      case "passed":
        return { kind: "passed", seat: event.seat, count: 0 };
      case "seat_left":
        return { kind: "left", seat: event.seat, count: 0 };
      case "seat_returned":
        return { kind: "returned", seat: event.seat, count: 0 };
      case "match_ended":
        return { kind: "over", seat: null, count: 0 };
    }
  }
  return { kind: "other", seat: null, count: 0 };
}

/** The pictures from one state to the next: whole groups of table tiles, then tile by tile. */
export function unfold(
  before: Frame,
  table: readonly PlainMeld[],
  hands: readonly Hand[],
  seats: number,
): Frame[] {
  const spare = before.hands.flat();
  const melds = adopt(before.melds, table, spare);
  const onTable = new Set(melds.flatMap((meld) => meld.cells));
  const after = Array.from({ length: seats }, (_, seat) => {
    const tiles = hands.find((hand) => hand.seat === seat)?.tiles.map(parseTile) ?? [];
    const kept = (before.hands[seat] ?? []).filter((piece) => !onTable.has(piece));
    const { hand } = reconcileHand(kept, tiles);
    return hand.length && kept.length === 0 ? hand.sort((a, b) => byColour(a.tile, b.tile)) : hand;
  });
  const moves = movesOf(before.melds, melds);
  const frames: Frame[] = [];
  const arrived = new Set<Piece>();
  for (const move of moves.slice(0, -1)) {
    for (const piece of move) arrived.add(piece);
    frames.push({
      melds: halfway(before.melds, melds, arrived),
      hands: before.hands.map((hand) => hand.filter((piece) => !arrived.has(piece))),
      moved: new Set(move.map((piece) => piece.id)),
    });
  }
  const last = moves.at(-1) ?? after.flat().filter((piece) => !spare.includes(piece));
  frames.push({ melds, hands: after, moved: new Set(last.map((piece) => piece.id)) });
  return frames;
}

/** What moves, meld by meld: first the tiles that come from one meld together, then singles. */
function movesOf(before: readonly Meld[], after: readonly Meld[]): Piece[][] {
  const home = new Map(before.flatMap((meld) => meld.cells.map((piece) => [piece, meld.id])));
  const moves: Piece[][] = [];
  for (const meld of after) {
    const groups = new Map<number, Piece[]>();
    const single: Piece[][] = [];
    for (const piece of meld.cells) {
      const from = home.get(piece);
      if (from === meld.id) continue;
      if (from === undefined) single.push([piece]);
      else groups.set(from, [...(groups.get(from) ?? []), piece]);
    }
    moves.push(...groups.values(), ...single);
  }
  return moves;
}

function halfway(
  before: readonly Meld[],
  after: readonly Meld[],
  arrived: ReadonlySet<Piece>,
): Meld[] {
  const goal = new Map(after.map((meld) => [meld.id, meld]));
  const start = new Map(before.map((meld) => [meld.id, meld]));
  const order = [...before, ...after.filter((meld) => !start.has(meld.id))];
  return order.flatMap(({ id, kind }) => {
    const old = start.get(id)?.cells ?? [];
    const next = goal.get(id)?.cells ?? [];
    const there = next.filter((piece) => arrived.has(piece) || old.includes(piece));
    const leaving = old.filter((piece) => !next.includes(piece) && !arrived.has(piece));
    const cells = [...there, ...leaving];
    return cells.length ? [{ id, kind: goal.get(id)?.kind ?? kind, cells }] : [];
  });
}

/** A hand that nobody has seen yet, as pieces. */
export const pieces = (tiles: readonly string[]): Piece[] =>
  tiles.map((tile) => newPiece(parseTile(tile)));

// --- the place in a match -----------------------------------------------------

/** A place: a position, and a picture of it. */
export interface Place {
  readonly step: number;
  readonly frame: number;
}

export const lastFrame = (all: readonly Position[], step: number): Place => ({
  step,
  frame: all[step].frames.length - 1,
});

/** One tile forward or back; at the ends it stays. */
export function byTile(all: readonly Position[], { step, frame }: Place, forward: boolean): Place {
  if (forward) {
    if (frame + 1 < all[step].frames.length) return { step, frame: frame + 1 };
    return step + 1 < all.length ? { step: step + 1, frame: 0 } : { step, frame };
  }
  if (frame > 0) return { step, frame: frame - 1 };
  return step > 0 ? lastFrame(all, step - 1) : { step, frame };
}

/** One turn forward or back, always to the end of a step. */
export function byTurn(all: readonly Position[], { step, frame }: Place, forward: boolean): Place {
  const end = lastFrame(all, step).frame;
  if (forward)
    return frame < end ? { step, frame: end } : lastFrame(all, Math.min(all.length - 1, step + 1));
  return lastFrame(all, Math.max(0, step - 1));
}

/** A place as it stands in an address: `12`, or `12.3` within a step; steps count from 1. */
export function formatPlace(all: readonly Position[], { step, frame }: Place): string {
  return frame === lastFrame(all, step).frame ? `${step + 1}` : `${step + 1}.${frame + 1}`;
}

export function parsePlace(all: readonly Position[], text: string | null): Place {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text ?? "");
  if (!match || all.length === 0) return { step: 0, frame: 0 };
  const step = Math.min(all.length, Math.max(1, Number(match[1]))) - 1;
  const last = lastFrame(all, step).frame;
  return { step, frame: match[2] ? Math.min(last, Math.max(0, Number(match[2]) - 1)) : last };
}
