import { describe, expect, it } from "vitest";
import { analyse, formatMeld, type Kind, parseMeld, readings } from "./melds.ts";
import { formatTile, parseTile } from "./tiles.ts";
import vectors from "./vectors.json";

describe("the meld check agrees with the rules engine", () => {
  it.each(vectors.map((vector) => [`${vector.kind} ${vector.text}`, vector] as const))(
    "%s",
    (_, vector) => {
      const kind = vector.kind as Kind;
      const found = analyse(kind, vector.cells);
      const faults = found.faults.map((fault) => {
        const plain: Record<string, unknown> = { code: fault.code };
        if (fault.tile !== undefined) plain.tiles = [formatTile(fault.tile)];
        if (fault.wanted?.length) plain.wanted = fault.wanted.map(formatTile);
        if (fault.cell !== undefined) plain.cell = fault.cell;
        if (fault.have !== undefined) plain.have = fault.have;
        if (fault.need !== undefined) plain.need = fault.need;
        return plain;
      });
      expect(faults).toEqual(vector.faults);
      expect(found.roles.map((role) => role ?? null)).toEqual(vector.roles);
      expect(found.value).toBe(vector.value);
      expect(found.start).toBe(vector.start);
      expect(readings(vector.cells).map(formatMeld)).toEqual(vector.readings);
      expect(formatMeld({ kind, cells: vector.cells })).toBe(vector.text);
      expect(parseMeld(vector.text)).toEqual({ kind, cells: vector.cells });
    },
  );

  it("refuses text that is no meld or tile", () => {
    for (const text of ["", "x", "r14-2-3", "7z", "run(q1)"]) {
      expect(() => parseMeld(text)).toThrow(RangeError);
    }
    expect(() => parseTile("r0")).toThrow(RangeError);
  });
});
