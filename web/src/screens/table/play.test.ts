import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formatMeld, parseMeld } from "../../board/melds.ts";
import { plain } from "../../board/pieces.ts";
import { formatTile } from "../../board/tiles.ts";
import type { Draft, Event, TableState, Verdict } from "../../net/protocol.ts";
import { Play } from "./play.svelte.ts";

const wire = (text: string) =>
  text
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      const { kind, cells } = parseMeld(word);
      return { kind, tiles: cells.map(formatTile), jokers: [] };
    });

/** A state in which seat 0 looks at a table; only what the play reads is there. */
function state(
  table: string,
  hand: string,
  turn: number,
  more: { round?: number; seat?: number } = {},
) {
  return {
    seats: [{ opened: true }, { opened: true }],
    match: {
      round: { number: more.round ?? 1, turn, seat: more.seat ?? 0, table: wire(table) },
      hands: [{ seat: 0, tiles: hand.split(" ").filter(Boolean) }],
    },
  } as unknown as TableState;
}

const played = (seat: number, tiles: string) =>
  ({ type: "played", seat, tiles: tiles.split(" ") }) as unknown as Event;
const drew = (seat: number) => ({ type: "drew", seat, tiles: [] }) as unknown as Event;

function build() {
  const kept: Draft[] = [];
  const changes: Draft[] = [];
  const refused: string[] = [];
  const play = new Play({
    changed: (draft) => changes.push(draft),
    keep: async (draft) => {
      kept.push(draft);
      return { legal: true, problems: [] } as unknown as Verdict;
    },
    refused: (refusal) => refused.push(refusal),
    placed: () => {},
  });
  return { play, kept, changes, refused };
}

const hand = (play: Play) => play.held.map((piece) => formatTile(piece.tile)).join(" ");
const table = (play: Play) => play.shown.map((meld) => formatMeld(plain(meld))).join(" ");
const id = (play: Play, text: string) =>
  play.held.find((piece) => formatTile(piece.tile) === text)?.id ?? -1;

describe("arranging", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("forgets what was tried when the hand is dealt anew, also of tiles that come again", () => {
    const { play } = build();
    play.follow(state("", "b1 k2 y3", 1, { seat: 1 }), [], 0);
    play.move([id(play, "b1")], { to: "new" });
    expect(table(play)).not.toBe("");
    const asked = { type: "redeal_asked", seat: 0 } as unknown as Event;
    play.follow(state("", "b1 r7 y9", 1, { seat: 1 }), [asked], 0);
    expect(table(play)).toBe("");
    expect(hand(play)).toContain("b1");
  });

  it("keeps the order of the hand, with what was drawn at its end and marked", () => {
    const { play } = build();
    play.follow(state("r4-5-6", "b1 k2 y3", 3), [], 0);
    play.move([id(play, "y3")], { to: "hand", index: 0 });
    play.follow(state("r4-5-6", "r9 b1 k2 y3", 4, { seat: 1 }), [drew(0)], 0);
    expect(hand(play)).toBe("y3 b1 k2 r9");
    expect([...play.drawn]).toEqual([id(play, "r9")]);
  });

  it("does not move what it laid itself when the server takes the play", () => {
    const { play } = build();
    play.follow(state("r4-5-6", "r7 k2", 3), [], 0);
    const piece = id(play, "r7");
    play.move([piece], { to: "meld", meld: play.shown[0].id });
    play.follow(state("r4-5-6-7", "k2", 4, { seat: 1 }), [played(0, "r7")], 0);
    expect(play.shown[0].cells[3].id).toBe(piece);
    expect(play.lastPlay.size).toBe(0);
    expect(play.canUndo).toBe(false);
  });

  it("marks what another seat laid", () => {
    const { play } = build();
    play.follow(state("r4-5-6", "k2", 3, { seat: 1 }), [], 0);
    play.follow(state("r4-5-6-7", "k2", 4), [played(1, "r7")], 0);
    expect([...play.lastPlay]).toEqual([play.shown[0].cells[3].id]);
  });

  it("keeps new melds of own tiles when others play, and nothing else", () => {
    const { play } = build();
    play.follow(state("r4-5-6-7", "b1 b2 b3 r8 k9", 3, { seat: 1 }), [], 0);
    play.move(
      ["b1", "b2", "b3"].map((tile) => id(play, tile)),
      { to: "new" },
    );
    play.move([play.shown[0].cells[0].id], { to: "new" });
    expect(table(play)).toBe("r5-6-7 b1-2-3 r4");
    play.follow(state("r4-5-6-7 7rbk", "b1 b2 b3 r8 k9", 4), [played(1, "r7 b7 k7")], 0);
    expect(table(play)).toBe("r4-5-6-7 7rbk b1-2-3");
    expect(hand(play)).toBe("r8 k9");
    play.undo();
    expect(hand(play)).toBe("b1 b2 b3 r8 k9");
  });

  it("gives everything back when its own turn ended without a play", () => {
    const { play } = build();
    play.follow(state("r4-5-6", "b1 b2 b3", 3), [], 0);
    play.move([id(play, "b1")], { to: "new" });
    play.follow(state("r4-5-6", "b1 b2 b3 k1 k2 k3", 4, { seat: 1 }), [drew(0)], 0);
    expect(table(play)).toBe("r4-5-6");
    expect(hand(play)).toBe("b1 b2 b3 k1 k2 k3");
  });

  it("keeps the arrangement at the server, the newest once, and knows the verdict of no other", async () => {
    const { play, kept } = build();
    play.follow(state("r4-5-6", "r7 r8", 3), [], 0);
    play.move([id(play, "r7")], { to: "meld", meld: play.shown[0].id });
    play.move([id(play, "r8")], { to: "meld", meld: play.shown[0].id });
    await vi.advanceTimersByTimeAsync(500);
    expect(kept.length).toBe(1);
    expect(kept[0].melds).toEqual([{ kind: "run", tiles: ["r4", "r5", "r6", "r7", "r8"] }]);
    expect(kept[0].hand).toEqual([["r7", "r8"]]);
    expect(play.checked?.verdict.legal).toBe(true);
    play.undo();
    expect(play.checked).toBeUndefined();
  });

  it("keeps an order of the hand that is newer than the verdict that has just come", async () => {
    const kept: Draft[] = [];
    let answer = (_: Verdict) => {};
    const play = new Play({
      changed: () => {},
      keep: (draft) => {
        kept.push(draft);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      refused: () => {},
      placed: () => {},
    });
    play.follow(state("", "r4 r5 r6 b1 k2", 3), [], 0);
    play.move([id(play, "r4"), id(play, "r5"), id(play, "r6")], { to: "new" });
    await vi.advanceTimersByTimeAsync(1000);
    play.move([id(play, "k2")], { to: "hand", index: 0 });
    answer({ legal: true, problems: [] } as unknown as Verdict);
    await vi.advanceTimersByTimeAsync(1000);
    expect(kept.length).toBe(2);
    expect(kept[1].hand[0][0]).toBe("k2");
  });

  it("takes over what the server kept, unless it has something newer", () => {
    const { play } = build();
    const draft = {
      seat: 0,
      round: 1,
      turn: 3,
      revision: 7,
      melds: [{ kind: "run" as const, tiles: ["r4", "r5", "r6", "r7"] }],
      hand: [["k2", "r7", "b1"]],
    };
    play.follow(state("r4-5-6", "r7 b1 k2", 3), [], 0);
    play.restore(draft);
    expect(table(play)).toBe("r4-5-6-7");
    expect(hand(play)).toBe("k2 b1");
    play.undo();
    expect(hand(play)).toBe("k2 r7 b1");
    play.restore({ ...draft, revision: 6 });
    expect(table(play)).toBe("r4-5-6");
  });

  it("keeps the order of the hand from an earlier turn's draft, but not its melds", () => {
    const { play } = build();
    play.follow(state("r4-5-6", "r7 b1 k2", 5), [], 0);
    const melds = [{ kind: "run" as const, tiles: ["r4", "r5", "r6", "r7"] }];
    play.restore({ seat: 0, round: 1, turn: 3, revision: 2, melds, hand: [["k2", "b1", "r7"]] });
    expect(table(play)).toBe("r4-5-6");
    expect(hand(play)).toBe("k2 b1 r7");
  });

  it("tells of every step at once, as what will be kept a moment later", async () => {
    const { play, kept, changes } = build();
    play.follow(state("r4-5-6", "r7 b1 k2", 3), [], 0);
    expect(changes).toEqual([]);
    play.move([id(play, "r7")], { to: "meld", meld: play.shown[0].id });
    play.move([id(play, "k2")], { to: "hand", index: 0 });
    expect(changes.length).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(kept).toEqual([changes[1]]);
    expect(kept[0]).toMatchObject({ seat: 0, round: 1, turn: 3, revision: 1 });
    expect(kept[0].hand).toEqual([["k2", "r7", "b1"]]);
    play.undo();
    expect(changes[2].revision).toBe(2);
  });

  const trial = (more: Partial<Draft>): Draft => ({
    seat: 0,
    round: 1,
    turn: 3,
    revision: 4,
    melds: [
      { kind: "run", tiles: ["r4", "r5", "r6"] },
      { kind: "run", tiles: ["b1", "b2"] },
    ],
    hand: [["k9", "b2", "b1"]],
    ...more,
  });

  it("takes up new melds that were tried out of turn, as long as the hand is the same", () => {
    const { play } = build();
    play.follow(state("r4-5-6-7", "b1 b2 k9", 4), [], 0);
    play.restore(trial({}));
    expect(table(play)).toBe("r4-5-6-7 b1-2");
    expect(hand(play)).toBe("k9");
  });

  it("takes up the order alone of what was arranged before an own turn", () => {
    const { play } = build();
    play.follow(state("r4-5-6-7", "b1 b2 k9 y3", 5), [], 0);
    play.restore(trial({}));
    expect(table(play)).toBe("r4-5-6-7");
    expect(hand(play)).toBe("k9 b2 b1 y3");
  });

  it("takes up no arrangement that lacks a tile of the table, or has one too many", () => {
    const { play } = build();
    play.follow(state("r4-5-6", "b1 b2 k9", 3), [], 0);
    play.restore(trial({ melds: [{ kind: "run", tiles: ["b1", "b2"] }] }));
    expect(table(play)).toBe("r4-5-6");
    const more = [...trial({}).melds, { kind: "run" as const, tiles: ["y8"] }];
    play.restore(trial({ melds: more, revision: 5 }));
    expect(table(play)).toBe("r4-5-6");
    play.restore(trial({ revision: 6 }));
    expect(table(play)).toBe("r4-5-6 b1-2");
  });

  it("takes up nothing of another round or another seat", () => {
    const { play } = build();
    play.follow(state("r4-5-6", "b1 b2 k9", 3, { round: 2 }), [], 0);
    play.restore(trial({}));
    play.restore(trial({ round: 2, seat: 1 }));
    expect(table(play)).toBe("r4-5-6");
    expect(hand(play)).toBe("b1 b2 k9");
  });

  it("shows the arrangement of the seat to move until one tries something oneself", () => {
    const { play } = build();
    play.follow(state("r4-5-6", "b1", 3, { seat: 1 }), [], 0);
    const melds = [{ kind: "run" as const, tiles: ["r4", "r5", "r6", "r7"] }];
    play.watch({ seat: 1, round: 1, turn: 3, revision: 1, melds, hand: [] });
    expect(table(play)).toBe("r4-5-6-7");
    const shown = play.shown[0].cells[3];
    play.move([id(play, "b1")], { to: "new" });
    expect(table(play)).toBe("r4-5-6 b1");
    play.takeBack(play.shown[1].cells[0].id);
    play.follow(state("r4-5-6-7", "b1", 4), [played(1, "r7")], 0);
    expect(play.shown[0].cells[3]).toBe(shown);
  });

  it("says why a tile may not be picked", () => {
    const { play, refused } = build();
    const closed = state("r4-5-6", "b1", 3);
    (closed.seats[0] as { opened: boolean }).opened = false;
    play.follow(closed, [], 0);
    play.tap(play.shown[0].cells[0].id);
    expect(refused).toEqual(["turn.table_before_opening"]);
    expect(play.selected).toEqual([]);
  });

  it("picks by tapping and places by tapping a meld", () => {
    const { play } = build();
    play.follow(state("r4-5-6 7rbk", "r7 y7 r3", 3), [], 0);
    play.tap(id(play, "r7"));
    play.tap(id(play, "r3"));
    expect(play.selected.length).toBe(2);
    expect(play.tap(play.shown[0].cells[1].id)).toBe(true);
    expect(table(play)).toBe("r3-4-5-6-7 7rbk");
    // Within one meld tapping picks more of it.
    play.tap(play.shown[1].cells[0].id);
    play.tap(play.shown[1].cells[2].id);
    expect(play.selected.length).toBe(2);
  });
});
