import { describe, expect, it } from "vitest";
import {
  type Board,
  fitting,
  held,
  homeless,
  isChanged,
  laid,
  type Outcome,
  openingValue,
  otherReadings,
  pickUp,
  place,
  proposal,
  readAs,
  reset,
  restoreBoard,
  sortHand,
  splitMeld,
  startBoard,
  takeBack,
} from "./board.ts";
import { begin, step, undo } from "./history.ts";
import { formatMeld, parseMeld } from "./melds.ts";
import { adopt, newPiece, reconcileHand } from "./pieces.ts";
import { formatTile, parseTile, parseTiles } from "./tiles.ts";

const table = (text: string) => text.split(" ").filter(Boolean).map(parseMeld);

function board(melds: string, hand: string, mayTouch = true): Board {
  return startBoard(adopt([], table(melds)), parseTiles(hand).map(newPiece), mayTouch);
}

const melds = (now: Board) => proposal(now).map(formatMeld).join(" ");
const hand = (now: Board) =>
  held(now)
    .map((piece) => formatTile(piece.tile))
    .join(" ");

/** The ids of tiles, looked for in the hand first, then on the table. */
function ids(now: Board, text: string): number[] {
  const used = new Set<number>();
  return parseTiles(text).map((tile) => {
    const all = [...held(now), ...now.melds.flatMap((meld) => meld.cells)];
    const piece = all.find((one) => one.tile === tile && !used.has(one.id));
    if (!piece) throw new Error(`no ${formatTile(tile)}`);
    used.add(piece.id);
    return piece.id;
  });
}

function ok(outcome: Outcome) {
  if (outcome.refused) throw new Error(outcome.refused);
  return outcome;
}

/** Moves tiles onto the meld of the given place, or to a new one. */
function move(now: Board, tiles: string, to: number | "new" | "hand", cell?: number): Board {
  const target =
    typeof to === "number"
      ? { to: "meld" as const, meld: now.melds[to].id, cell }
      : to === "new"
        ? { to }
        : { to, index: cell };
  return ok(place(now, ids(now, tiles), target)).board;
}

describe("placing", () => {
  it("lets a tile find its place in a run", () => {
    expect(melds(move(board("r4-5-6", "r7"), "r7", 0, 0))).toBe("r4-5-6-7");
    expect(melds(move(board("r4-5-6", "r3"), "r3", 0))).toBe("r3-4-5-6");
  });

  it("splits a run at a second tile of the same number", () => {
    const now = move(board("r1-2-3-4-5-6-7-8", "r5"), "r5", 0);
    expect(melds(now)).toBe("r1-2-3-4-5 r5-6-7-8");
    expect(homeless(now)).toEqual([]);
  });

  it("lays a twin apart where no split is possible, and loses nothing", () => {
    const start = board("r4-5-6-7", "r5");
    const outcome = ok(place(start, ids(start, "r5"), { to: "meld", meld: start.melds[0].id }));
    expect(melds(outcome.board)).toBe("r4-5-6-7 r5");
    expect(outcome.apart.length).toBe(1);
  });

  it("lands several tiles in order, whatever the order they were picked in", () => {
    expect(melds(move(board("", "r7 r5 r6 *"), "r7 r5 r6", "new"))).toBe("r5-6-7");
    expect(melds(move(board("r4-5-6", "r8 r7 r3"), "r8 r3 r7", 0))).toBe("r3-4-5-6-7-8");
    expect(melds(move(board("", "b7 r7 k7"), "b7 r7 k7", "new"))).toBe("7brk");
    expect(melds(move(board("", "r5 r7 *"), "r7 * r5", "new"))).toBe("r5-*-7");
  });

  it("moves a tile between melds and leaves the rest marked, not refused", () => {
    const now = move(board("r4-5-6-7 4bky", ""), "r4", 1);
    expect(melds(now)).toBe("r5-6-7 4bkyr");
    const robbed = move(board("r4-5-6 4bky", ""), "r4", 1);
    expect(melds(robbed)).toBe("r5-6 4bkyr");
    expect(homeless(robbed).map((piece) => formatTile(piece.tile))).toEqual(["r5", "r6"]);
  });

  it("lets a run fall apart when both parts hold, and keeps it whole otherwise", () => {
    expect(melds(move(board("r1-2-3-4-5-6-7", ""), "r4", "new"))).toBe("r1-2-3 r5-6-7 r4");
    expect(melds(move(board("r1-2-3-4-5", ""), "r3", "new"))).toBe("r1-2-4-5 r3");
  });

  it("joins whole melds", () => {
    expect(melds(move(board("r1-2-3 r4-5-6", ""), "r4 r5 r6", 0))).toBe("r1-2-3-4-5-6");
  });

  it("holds a tile that does not fit where it was put", () => {
    const now = move(board("r4-5-6", "b9"), "b9", 0, 1);
    expect(melds(now)).toBe("run(r4,b9,r5,r6)");
    expect(isChanged(now)).toBe(true);
  });

  it("makes a new meld of a target that is gone", () => {
    const start = board("r4-5-6", "b9");
    const outcome = ok(place(start, ids(start, "b9"), { to: "meld", meld: -1 }));
    expect(melds(outcome.board)).toBe("r4-5-6 b9");
  });
});

describe("jokers", () => {
  it("are replaced by the tile they stand for and then lie free", () => {
    const start = board("r4-*-6", "r5");
    const outcome = ok(place(start, ids(start, "r5"), { to: "meld", meld: start.melds[0].id }));
    expect(melds(outcome.board)).toBe("r4-5-6 run(*)");
    expect(outcome.freed.length).toBe(1);
    expect(homeless(outcome.board)).toEqual(outcome.freed);
  });

  it("go back to the hand if they came from there in this turn", () => {
    let now = board("", "r4 * r6 r5");
    now = move(now, "r4 * r6", "new");
    now = move(now, "r5", 0);
    expect(melds(now)).toBe("r4-5-6");
    expect(hand(now)).toBe("*");
  });

  it("stay in a set of three unless the tile is put right on them", () => {
    expect(melds(move(board("7rb*", "k7"), "k7", 0))).toBe("7rb*k");
    expect(melds(move(board("7rb*", "k7"), "k7", 0, 2))).toBe("7rbk run(*)");
    expect(melds(move(board("7rbk*", "y7"), "y7", 0))).toBe("7rbky run(*)");
  });

  it("go to the side they were put at, as far as there is room", () => {
    expect(melds(move(board("r4-5-6", "*"), "*", 0, 0))).toBe("r*-4-5-6");
    expect(melds(move(board("r4-5-6", "*"), "*", 0, 3))).toBe("r4-5-6-*");
    expect(melds(move(board("r11-12-13", "*"), "*", 0, 3))).toBe("r*-11-12-13");
    expect(melds(move(board("r1-2-3", "*"), "*", 0, 0))).toBe("r1-2-3-*");
  });

  it("can be read in another way", () => {
    const now = move(board("", "r5 r6 *"), "r5 r6 *", "new");
    const meld = now.melds[0];
    expect(formatMeld(parseMeld(melds(now)))).toBe("r5-6-*");
    const others = otherReadings(meld);
    expect(others.map(formatMeld)).toEqual(["r*-5-6"]);
    expect(melds(readAs(now, meld.id, others[0]))).toBe("r*-5-6");
    const two = move(board("", "r7 * *"), "r7 * *", "new");
    expect(otherReadings(two.melds[0]).map(formatMeld)).toEqual(["r*-*-7", "r*-7-*", "7r**"]);
  });
});

describe("what may be touched", () => {
  it("is nothing of the table before opening", () => {
    const start = board("r4-5-6", "r7 b1 b2 b3", false);
    expect(pickUp(start, ids(start, "r4"))).toBe("turn.table_before_opening");
    const outcome = place(start, ids(start, "r7"), { to: "meld", meld: start.melds[0].id });
    expect(outcome.refused).toBe("turn.table_before_opening");
    const now = move(start, "b1 b2 b3", "new");
    expect(openingValue(now)).toBe(6);
    // What was laid in this turn stays movable.
    expect(melds(move(now, "b3", "new"))).toBe("r4-5-6 b1-2 b3");
  });

  it("is never the hand for a tile of the table", () => {
    const start = board("r4-5-6-7", "");
    const outcome = place(start, ids(start, "r7"), { to: "hand" });
    expect(outcome.refused).toBe("board.stays_on_table");
  });
});

describe("the hand", () => {
  it("keeps its order when tiles go out and come back", () => {
    const start = board("r4-5-6", "k1 r7 b2 y3");
    const out = move(start, "r7", 0);
    expect(hand(out)).toBe("k1 b2 y3");
    expect(hand(ok(takeBack(out, ids(out, "r7")[0])).board)).toBe("k1 r7 b2 y3");
  });

  it("moves only what is moved", () => {
    const start = board("", "k1 r7 b2 y3");
    expect(hand(move(start, "y3", "hand", 1))).toBe("k1 y3 r7 b2");
    expect(hand(move(start, "k1", "hand", 4))).toBe("r7 b2 y3 k1");
    expect(hand(move(start, "k1", "hand", 0))).toBe("k1 r7 b2 y3");
    expect(hand(move(start, "b2 k1", "hand", 4))).toBe("r7 y3 b2 k1");
  });

  it("is sorted on request only", () => {
    const start = board("", "* b2 r7 k2 r1");
    expect(hand(sortHand(start, "colour"))).toBe("r1 r7 k2 b2 *");
    expect(hand(sortHand(start, "number"))).toBe("r1 k2 b2 r7 *");
  });

  it("keeps its order through what the server tells", () => {
    const order = parseTiles("b2 r7 r7 k1").map(newPiece);
    const { hand: now, drawn } = reconcileHand(order, parseTiles("r7 k1 y9 b2"));
    expect(now.map((piece) => formatTile(piece.tile)).join(" ")).toBe("b2 r7 k1 y9");
    expect(now[1]).toBe(order[1]);
    expect(drawn.map((piece) => piece.tile)).toEqual([parseTile("y9")]);
  });
});

describe("going back", () => {
  it("undoes step by step and keeps the order of the hand", () => {
    const start = board("r4-5-6", "r7 r8 b1");
    let history = begin(start);
    history = step(history, move(history.now, "r7", 0));
    history = step(history, move(history.now, "r8", 0));
    history = step(history, sortHand(history.now, "number"));
    history = step(history, move(history.now, "b1", "hand", 1));
    expect(history.past.length).toBe(2);
    history = undo(history);
    expect(melds(history.now)).toBe("r4-5-6-7");
    expect(hand(history.now)).toBe("b1 r8");
    history = undo(undo(undo(history)));
    expect(melds(history.now)).toBe("r4-5-6");
  });

  it("resets to the very table of the start", () => {
    const start = board("r4-5-6 7rbk", "r7 y7");
    const now = move(move(start, "r7", 0), "y7", 1);
    expect(laid(now).length).toBe(2);
    expect(reset(now).melds).toBe(start.base);
    expect(isChanged(reset(now))).toBe(false);
  });

  it("knows an unchanged meld again after a tile came and went", () => {
    const start = board("r4-5-6", "r7");
    const now = ok(takeBack(move(start, "r7", 0), start.hand[0].id)).board;
    expect(now.melds[0]).toBe(start.base[0]);
    expect(isChanged(now)).toBe(false);
  });

  it("does not take a twin in its place for the same", () => {
    const start = board("r4-5-6-7", "r7");
    let now = ok(place(start, [start.melds[0].cells[3].id], { to: "new" })).board;
    now = ok(place(now, [start.hand[0].id], { to: "meld", meld: start.melds[0].id })).board;
    expect(melds(now)).toBe("r4-5-6-7 r7");
    expect(laid(now)).toEqual([start.hand[0]]);
  });

  it("restores an arrangement with the pieces of table and hand", () => {
    const start = board("r4-5-6 7rbk", "r7 y7 *");
    const now = restoreBoard(start, table("r4-5-6-7 7rbk run(*)"));
    expect(now.melds[0].id).toBe(start.base[0].id);
    expect(now.melds[1]).toBe(start.base[1]);
    expect(hand(now)).toBe("y7");
  });
});

describe("groups", () => {
  it("are cut in two", () => {
    const start = board("r1-2-3-4-5-6", "");
    expect(melds(ok(splitMeld(start, start.melds[0].id, 3)).board)).toBe("r1-2-3 r4-5-6");
    expect(splitMeld(start, start.melds[0].id, 0).refused).toBe("board.nothing_picked");
  });

  it("light up where the picked tiles fit", () => {
    const start = board("r4-5-6 7rbk b1-2-3", "r7 y7");
    const at = (text: string) =>
      [...fitting(start, ids(start, text))].map((id) => start.melds.findIndex((m) => m.id === id));
    expect(at("r7")).toEqual([0]);
    expect(at("y7")).toEqual([1]);
    const begun = move(board("", "r7 r8 b2 y8"), "r7", "new");
    expect(fitting(begun, ids(begun, "r8")).size).toBe(1);
    expect(fitting(begun, ids(begun, "b2")).size).toBe(0);
    expect(fitting({ ...start, mayTouch: false }, ids(start, "r7")).size).toBe(0);
  });
});

describe("identities", () => {
  it("stay with melds and pieces that did not move", () => {
    const before = adopt([], table("r1-2-3 7rbk b4-5-6"));
    const after = adopt(before, table("7rbk r1-2-3-4 b4-5-6"));
    expect(after[0]).toBe(before[1]);
    expect(after[2]).toBe(before[2]);
    expect(after[1].id).toBe(before[0].id);
    expect(after[1].cells.slice(0, 3)).toEqual(before[0].cells);
  });

  it("follow a tile from one meld to another", () => {
    const before = adopt([], table("r4-5-6-7 4bk*"));
    const after = adopt(before, table("r5-6-7 4bk*r"));
    expect(after[1].cells[3]).toBe(before[0].cells[0]);
  });

  it("come from the hand for what was laid from there", () => {
    const own = parseTiles("r7 r7").map(newPiece);
    const after = adopt([], table("7rbk"), own);
    expect(after[0].cells[0]).toBe(own[0]);
  });
});
