import { describe, expect, it } from "vitest";
import { capacity, fitTable, GAP, type Layout, layOut, rowsOf, type Sized } from "./layout.ts";

function overlaps(melds: readonly Sized[], layout: Layout): boolean {
  return melds.some((a) =>
    melds.some((b) => {
      const [one, other] = [layout.get(a.id), layout.get(b.id)];
      if (a.id >= b.id || !one || !other || one.row !== other.row) return false;
      return one.x < other.x + b.size + GAP - 1e-6 && other.x < one.x + a.size + GAP - 1e-6;
    }),
  );
}

/** A repeatable stream of numbers. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

describe("laying melds into rows", () => {
  it("fills rows from the left", () => {
    const melds = [3, 4, 3].map((size, id) => ({ id, size }));
    expect([...layOut(melds, new Map(), 8).values()]).toEqual([
      { row: 0, x: 0, size: 3 },
      { row: 0, x: 3.5, size: 4 },
      { row: 1, x: 0, size: 3 },
    ]);
  });

  it("moves only the meld that outgrew its place", () => {
    const before = layOut(
      [3, 3, 3].map((size, id) => ({ id, size })),
      new Map(),
      12,
    );
    const after = layOut(
      [5, 3, 3].map((size, id) => ({ id, size })),
      before,
      12,
    );
    expect(after.get(1)).toEqual(before.get(1));
    expect(after.get(2)).toEqual(before.get(2));
    expect(after.get(0)?.row).toBe(1);
  });

  it("lays a new meld near where it was wished", () => {
    const before = layOut([{ id: 0, size: 3 }], new Map(), 12);
    const after = layOut(
      [
        { id: 0, size: 3 },
        { id: 1, size: 3, wish: { row: 0, x: 8 } },
      ],
      before,
      12,
    );
    expect(after.get(1)).toMatchObject({ row: 0, x: 8 });
  });

  it("never overlaps, and never moves what still fits, however a table grows and shrinks", () => {
    const next = numbers(7);
    for (let game = 0; game < 60; game += 1) {
      const width = 12 + next(20);
      let melds: Sized[] = [];
      let layout: Layout = new Map();
      for (let turn = 0; turn < 25; turn += 1) {
        const before = layout;
        const old = melds;
        melds = melds
          .filter(() => next(12) > 0)
          .map((meld) => (next(4) ? meld : { ...meld, size: 3 + next(6) }));
        melds.push({ id: game * 1000 + turn, size: 3 + next(3) });
        layout = layOut(melds, before, width);
        expect(layout.size).toBe(melds.length);
        expect(overlaps(melds, layout)).toBe(false);
        for (const meld of melds) {
          const same = old.find((one) => one.id === meld.id)?.size === meld.size;
          const others = melds.filter((one) => one !== meld && old.includes(one));
          // With every other old meld unchanged too, there is no reason to move.
          if (same && others.length === old.length - 1) {
            expect(layout.get(meld.id)).toEqual(before.get(meld.id));
          }
        }
      }
    }
  });
});

describe("fitting the room", () => {
  const phone = { width: 374, height: 430, least: 26, most: 44 };

  it("takes all 106 tiles on a phone without going below 26 pixels", () => {
    const sizes = [...Array(18).fill(3), ...Array(8).fill(4), 5, 5, 5, 5];
    expect(sizes.reduce((a, b) => a + b)).toBe(106);
    const melds = sizes.map((size, id) => ({ id, size }));
    const found = fitTable(melds, new Map(), 44, phone, true);
    expect(found.tile).toBeGreaterThanOrEqual(26);
    expect(rowsOf(found.layout)).toBeLessThanOrEqual(capacity(phone, found.tile).rows);
  });

  it("keeps the size until it must shrink", () => {
    let melds: Sized[] = [];
    let found = fitTable(melds, new Map(), 44, phone, true);
    let last = found.tile;
    for (let id = 0; id < 26; id += 1) {
      melds = [...melds, { id, size: 4 }];
      found = fitTable(melds, found.layout, found.tile, phone, false);
      expect(found.tile).toBeLessThanOrEqual(last);
      last = found.tile;
      expect(found.rows).toBeLessThanOrEqual(capacity(phone, found.tile).rows);
    }
    expect(last).toBeGreaterThanOrEqual(26);
  });

  it("lets a long run have a row of its own, however narrow the room", () => {
    const found = fitTable([{ id: 1, size: 13 }], new Map(), 40, { ...phone, width: 300 }, true);
    expect(found.tile).toBe(26);
    expect(found.layout.get(1)).toMatchObject({ row: 0, x: 0 });
  });
});
