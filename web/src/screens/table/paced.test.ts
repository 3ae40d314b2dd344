import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Paced } from "./paced.ts";

describe("steps with time for the eye", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function build() {
    const shown: [string, number][] = [];
    const paced = new Paced<string>((step, waiting) => {
      shown.push([step, waiting]);
      return step === "quick" ? 0 : 1000;
    });
    return { shown, paced };
  }

  it("come one after the other, each when the one before has been looked at", async () => {
    const { shown, paced } = build();
    for (const step of ["a", "b", "quick", "c"]) paced.push(step);
    expect(shown).toEqual([["a", 0]]);
    await vi.advanceTimersByTimeAsync(999);
    expect(shown).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(shown).toEqual([
      ["a", 0],
      ["b", 2],
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown.slice(2)).toEqual([
      ["quick", 1],
      ["c", 0],
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    paced.push("d");
    expect(shown.at(-1)).toEqual(["d", 0]);
  });

  it("come at once when one hurries, and then take their own time", async () => {
    const { shown, paced } = build();
    paced.push("a");
    paced.hurry();
    paced.push("b");
    await vi.advanceTimersByTimeAsync(0);
    expect(shown.map(([step]) => step)).toEqual(["a", "b"]);
    paced.push("c");
    await vi.advanceTimersByTimeAsync(999);
    expect(shown).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(shown).toHaveLength(3);
  });

  it("never come once they are forgotten", async () => {
    const { shown, paced } = build();
    paced.push("a");
    paced.push("b");
    paced.clear();
    await vi.advanceTimersByTimeAsync(5000);
    expect(shown).toEqual([["a", 0]]);
  });
});
