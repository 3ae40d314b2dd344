import { describe, expect, it } from "vitest";
import { fitHand } from "./hand.ts";

const phone = { width: 374, height: 130, least: 26, most: 46 };

describe("setting out the hand", () => {
  it("takes two rows on a phone and one on a wide screen", () => {
    expect(fitHand(14, phone)).toMatchObject({ rows: 2, perRow: 7 });
    expect(fitHand(14, { width: 1000, height: 130, least: 26, most: 60 })).toMatchObject({
      rows: 1,
      perRow: 14,
    });
  });

  it("never goes below the least size, and always has room for all", () => {
    for (let places = 1; places <= 60; places += 1) {
      for (const width of [250, 304, 374, 600, 1200]) {
        const found = fitHand(places, { ...phone, width });
        expect(found.tile).toBeGreaterThanOrEqual(26);
        expect(found.tile).toBeLessThanOrEqual(46);
        expect(found.perRow * found.rows).toBeGreaterThanOrEqual(places);
        expect((found.perRow - 1) * found.pitch + found.tile).toBeLessThanOrEqual(width + 0.01);
      }
    }
  });
});
