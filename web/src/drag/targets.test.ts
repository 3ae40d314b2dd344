import { describe, expect, it } from "vitest";
import { cellAt, placeAt, type Zones } from "./targets.ts";

const zones: Zones = {
  tile: 40,
  tray: { left: 300, top: 400, width: 90, height: 40 },
  table: { left: 0, top: 50, width: 400, height: 400 },
  hand: {
    left: 10,
    top: 500,
    width: 380,
    height: 120,
    pitch: 38,
    row: 60,
    perRow: 10,
    count: 14,
    rightToLeft: false,
  },
  melds: [
    { id: 1, cells: 3, fits: true, left: 20, top: 100, width: 120, height: 53 },
    { id: 2, cells: 4, fits: true, left: 180, top: 100, width: 160, height: 53 },
  ],
};

describe("the place under a tile", () => {
  it("is a meld, with the gap between two cells", () => {
    expect(placeAt(zones, 22, 120)).toEqual({ to: "meld", meld: 1, cell: 0 });
    expect(placeAt(zones, 102, 120)).toEqual({ to: "meld", meld: 1, cell: 2 });
    expect(placeAt(zones, 330, 120)).toEqual({ to: "meld", meld: 2, cell: 4 });
  });

  it("is forgiving beside a meld, and takes the nearest", () => {
    expect(placeAt(zones, 155, 120)).toEqual({ to: "meld", meld: 1, cell: 3 });
    expect(placeAt(zones, 165, 120)).toEqual({ to: "meld", meld: 2, cell: 0 });
    expect(placeAt(zones, 80, 168)).toMatchObject({ to: "meld", meld: 1 });
  });

  it("is rather a meld that fits than a nearer one that does not", () => {
    const [fits, other] = zones.melds;
    const mixed = { ...zones, melds: [fits, { ...other, fits: false }] };
    expect(placeAt(mixed, 168, 120)).toMatchObject({ to: "meld", meld: 1 });
    expect(placeAt(mixed, 190, 120)).toMatchObject({ to: "meld", meld: 2 });
    expect(placeAt(mixed, 352, 120)).toMatchObject({ to: "new" });
  });

  it("is the tray before anything that lies under it", () => {
    const under = { ...zones, melds: [{ ...zones.melds[0], left: 280, top: 395 }] };
    expect(placeAt(under, 310, 410)).toEqual({ to: "new" });
  });

  it("is a new meld on the free table", () => {
    expect(placeAt(zones, 200, 300)).toEqual({ to: "new", x: 200, y: 250 });
  });

  it("is a place of the hand, in either row, and never beyond its end", () => {
    expect(placeAt(zones, 12, 520)).toEqual({ to: "hand", index: 0 });
    expect(placeAt(zones, 88, 520)).toEqual({ to: "hand", index: 2 });
    expect(placeAt(zones, 48, 590)).toEqual({ to: "hand", index: 11 });
    expect(placeAt(zones, 380, 600)).toEqual({ to: "hand", index: 14 });
    expect(placeAt(zones, 200, 628)).toMatchObject({ to: "hand" });
  });

  it("counts from the right where one reads leftwards", () => {
    const mirrored = { ...zones, hand: { ...zones.hand, rightToLeft: true } };
    expect(placeAt(mirrored, 388, 520)).toEqual({ to: "hand", index: 0 });
  });

  it("is nowhere outside", () => {
    expect(placeAt(zones, 200, 20)).toBeUndefined();
    expect(placeAt(zones, 200, 700)).toBeUndefined();
  });

  it("tells the cell that is pointed at", () => {
    expect(cellAt(zones.melds[0], 99)).toBe(1);
    expect(cellAt(zones.melds[0], 500)).toBe(2);
  });
});
