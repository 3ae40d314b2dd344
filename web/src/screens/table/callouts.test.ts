import { describe, expect, it } from "vitest";
import { type Callout, type Place, placeCallouts } from "./callouts.ts";

const WIDTH = 390;

function at(middle: number, top: number, size: { width?: number; height?: number } = {}): Callout {
  return { middle, top, bottom: top + 50, width: 200, height: 40, ...size };
}

function apart(callouts: readonly Callout[], places: readonly Place[]): boolean {
  return places.every((one, first) =>
    places.every(
      (other, second) =>
        first >= second ||
        one.x + callouts[first].width <= other.x ||
        other.x + callouts[second].width <= one.x ||
        one.y + callouts[first].height <= other.y ||
        other.y + callouts[second].height <= one.y,
    ),
  );
}

describe("words about melds", () => {
  it("stand above the middle of their meld", () => {
    expect(placeCallouts([at(150, 200)], WIDTH)).toEqual([{ x: 50, y: 152 }]);
  });

  it("stand below where there is no room above", () => {
    expect(placeCallouts([at(150, 30)], WIDTH)).toEqual([{ x: 50, y: 88 }]);
  });

  it("are not cut off at either edge, however wide they are", () => {
    expect(placeCallouts([at(20, 200)], WIDTH)[0].x).toBe(6);
    expect(placeCallouts([at(370, 200)], WIDTH)[0].x).toBe(184);
    expect(placeCallouts([at(370, 200, { width: 400 })], WIDTH)[0].x).toBe(6);
  });

  it("leave each other alone in a row", () => {
    const callouts = [at(110, 200), at(260, 200)];
    const places = placeCallouts(callouts, WIDTH);
    expect(places[0].y).toBe(152);
    expect(places[1].y).toBe(258);
  });

  it("go on downwards past all that stand in the way", () => {
    const callouts = [100, 150, 200, 250].map((middle) => at(middle, 20, { height: 60 }));
    const places = placeCallouts(callouts, WIDTH);
    expect(apart(callouts, places)).toBe(true);
    expect(places.map(({ y }) => y)).toEqual([78, 142, 206, 270]);
  });

  it("never lie over each other, wherever the melds are", () => {
    for (let seed = 1; seed <= 300; seed++) {
      let state = seed;
      const below = (most: number) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % most;
      };
      const callouts = Array.from({ length: 1 + below(6) }, () =>
        at(below(WIDTH), below(400), { width: 80 + below(220), height: 30 + below(130) }),
      );
      expect(apart(callouts, placeCallouts(callouts, WIDTH))).toBe(true);
    }
  });
});
