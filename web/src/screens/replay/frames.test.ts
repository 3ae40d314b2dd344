import { describe, expect, it } from "vitest";
import { formatMeld, parseMeld } from "../../board/melds.ts";
import { adopt, plain } from "../../board/pieces.ts";
import { formatTile } from "../../board/tiles.ts";
import {
  byTile,
  byTurn,
  type Frame,
  formatPlace,
  lastFrame,
  type Position,
  parsePlace,
  pieces,
  unfold,
} from "./frames.ts";

const frame = (melds: string, ...hands: string[]): Frame => ({
  melds: adopt([], melds.split(" ").filter(Boolean).map(parseMeld)),
  hands: hands.map((hand) => pieces(hand.split(" ").filter(Boolean))),
  moved: new Set(),
});
const show = ({ melds, hands }: Frame): string =>
  [
    melds.map((meld) => formatMeld(plain(meld))).join(" "),
    ...hands.map((hand) => hand.map(({ tile }) => formatTile(tile)).join(" ")),
  ].join(" | ");
const next = (before: Frame, melds: string, ...hands: string[]): Frame[] =>
  unfold(
    before,
    melds.split(" ").filter(Boolean).map(parseMeld),
    hands.map((hand, seat) => ({
      seat,
      tiles: hand.split(" ").filter(Boolean),
      may_redeal: false,
    })),
    hands.length,
  );

describe("what lies between two states", () => {
  it("is one picture for each tile that is laid", () => {
    const frames = next(frame("", "r1 r2 r3 k5", "b1"), "r1-2-3", "k5", "b1");
    expect(frames.map(show)).toEqual([
      "r1 | r2 r3 k5 | b1",
      "r1-2 | r3 k5 | b1",
      "r1-2-3 | k5 | b1",
    ]);
  });

  it("moves tiles of the table before those of the hand", () => {
    const before = frame("r4-5-6-7 7ykb", "r3 k9");
    const frames = next(before, "r3-4-5-6 7rykb", "k9");
    expect(frames).toHaveLength(2);
    expect(show(frames[1])).toBe("r3-4-5-6 7rykb | k9");
    // The same pieces throughout: nothing is made or lost.
    const ids = (one: Frame) =>
      [...one.melds.flatMap((meld) => meld.cells), ...one.hands.flat()].map(({ id }) => id).sort();
    for (const one of frames) expect(ids(one)).toEqual(ids(before));
  });

  it("marks a drawn tile, and keeps the order of the hand", () => {
    const frames = next(frame("r1-2-3", "k5 b1"), "r1-2-3", "b1 k5 y9");
    expect(frames.map(show)).toEqual(["r1-2-3 | k5 b1 y9"]);
    const drawn = frames[0].hands[0][2];
    expect([...frames[0].moved]).toEqual([drawn.id]);
  });
});

describe("a place in a match", () => {
  const position = (frames: number) =>
    ({ frames: Array(frames).fill(frame("")) }) as unknown as Position;
  const all = [position(1), position(3), position(1)];

  it("goes by tile and by turn, and stays at the ends", () => {
    expect(byTile(all, { step: 0, frame: 0 }, true)).toEqual({ step: 1, frame: 0 });
    expect(byTile(all, { step: 1, frame: 2 }, true)).toEqual({ step: 2, frame: 0 });
    expect(byTile(all, { step: 2, frame: 0 }, true)).toEqual({ step: 2, frame: 0 });
    expect(byTile(all, { step: 2, frame: 0 }, false)).toEqual({ step: 1, frame: 2 });
    expect(byTile(all, { step: 0, frame: 0 }, false)).toEqual({ step: 0, frame: 0 });
    expect(byTurn(all, { step: 1, frame: 0 }, true)).toEqual({ step: 1, frame: 2 });
    expect(byTurn(all, { step: 1, frame: 2 }, true)).toEqual({ step: 2, frame: 0 });
    expect(byTurn(all, { step: 1, frame: 1 }, false)).toEqual({ step: 0, frame: 0 });
  });

  it("has an address", () => {
    for (const place of [{ step: 1, frame: 0 }, lastFrame(all, 1), lastFrame(all, 2)]) {
      expect(parsePlace(all, formatPlace(all, place))).toEqual(place);
    }
    expect(parsePlace(all, "99")).toEqual({ step: 2, frame: 0 });
    expect(parsePlace(all, "2.9")).toEqual({ step: 1, frame: 2 });
    expect(parsePlace(all, "x")).toEqual({ step: 0, frame: 0 });
  });
});
