import { describe, expect, it } from "vitest";
import { type HintPart, hintTable } from "./hint.ts";
import { formatMeld, parseMeld } from "./melds.ts";
import { parseTiles } from "./tiles.ts";

const table = (text: string) => text.split(" ").filter(Boolean).map(parseMeld);

const step = (
  meld: string,
  grows: number | null,
  ...sources: [number | null, string][]
): HintPart => ({
  meld: parseMeld(meld),
  grows,
  sources: sources.map(([place, tiles]) => ({ place, tiles: parseTiles(tiles) })),
});

describe("a hint step by step", () => {
  const base = table("r4-5-6-7 4bky");
  const steps = [
    step("4bkyr", 1, [1, "b4 k4 y4"], [0, "r4"]),
    step("r5-6-7-8", 0, [0, "r5 r6 r7"], [null, "r8"]),
    step("b9-10-11", null, [null, "b9 b10 b11"]),
  ];
  const state = (count: number) => hintTable(base, steps.slice(0, count)).map(formatMeld).join(" ");

  it("leaves what is not yet done as it was", () => {
    expect(state(0)).toBe("r4-5-6-7 4bky");
    expect(state(1)).toBe("r5-6-7 4bkyr");
    expect(state(2)).toBe("r5-6-7-8 4bkyr");
    expect(state(3)).toBe("r5-6-7-8 4bkyr b9-10-11");
  });
});
