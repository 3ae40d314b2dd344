import { describe, expect, it } from "vitest";
import { directionOf, linesOf, type Stop, step } from "./focus.ts";

const stop = (id: string, x: number, y: number, height = 40): Stop => ({ id, x, y, height });

const stops = [
  stop("a1", 10, 100),
  stop("a2", 50, 102),
  stop("a3", 90, 98),
  stop("b1", 20, 160),
  stop("b2", 80, 160),
  stop("hand", 30, 300),
];

describe("the keyboard's way", () => {
  it("sees lines as the eye does", () => {
    expect(linesOf(stops).map((line) => line.map((one) => one.id))).toEqual([
      ["a1", "a2", "a3"],
      ["b1", "b2"],
      ["hand"],
    ]);
  });

  it.each([
    ["a1", "right", "a2"],
    ["a3", "right", "b1"],
    ["b1", "left", "a3"],
    ["a1", "left", "a1"],
    ["a3", "down", "b2"],
    ["b2", "down", "hand"],
    ["hand", "down", "hand"],
    ["b2", "up", "a3"],
    ["a2", "first", "a1"],
    ["a2", "last", "a3"],
  ] as const)("leads from %s %s to %s", (from, direction, to) => {
    expect(step(stops, from, direction)).toBe(to);
  });

  it("begins at the first", () => {
    expect(step(stops, undefined, "down")).toBe("a1");
    expect(step([], undefined, "down")).toBeUndefined();
  });

  it("turns round where one reads leftwards", () => {
    expect(directionOf("ArrowLeft", true)).toBe("right");
    expect(directionOf("ArrowLeft")).toBe("left");
    expect(directionOf("x")).toBeUndefined();
  });
});
