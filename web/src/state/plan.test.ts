import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GamesPage } from "../net/protocol.ts";
import { levelsOf, recallPlan, rememberPlan, requestOf, usualComputer } from "./plan.ts";

const page = {
  games: [{ name: "pup-rummy" }, { name: "rrrummy" }],
  fields: [{ name: "timer" }],
  computers: ["a", "b", "c"].map((player) => ({ player, description: "", usual: false })),
} as unknown as GamesPage;
const recall = (mode: "alone" | "friends" | "device" = "alone") =>
  recallPlan(mode, page, ["Ana", "Ben", "Cleo"], "oak");

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

describe("a plan", () => {
  it("is fresh at first: the standard game, with people or middling computers", () => {
    expect(recall().game).toBe("rrrummy");
    expect(recall().seats.map((seat) => seat.type)).toEqual(["me", "computer", "computer"]);
    expect(recall().seats[1]).toEqual({ type: "computer", player: "b" });
    expect(recall("friends").seats.map((seat) => seat.type)).toEqual(["me", "open"]);
    expect(recall("device").seats).toEqual([
      { type: "person", name: "Ana" },
      { type: "person", name: "Ben" },
    ]);
  });

  it("gives a newcomer the usual level, and offers levels where there are any", () => {
    const level = (player: string, description: string, usual = false) =>
      ({ player, label: player, description, usual }) as const;
    const levels = [level("easy", "kind", true), level("hard", "not so"), level("yardstick", "")];
    const known = { ...page, computers: levels } as unknown as GamesPage;
    expect(usualComputer(known)).toBe("easy");
    expect(levelsOf(known).map((one) => one.player)).toEqual(["easy", "hard"]);
    expect(levelsOf(page)).toEqual(page.computers);
  });

  it("is remembered for each way to play", () => {
    rememberPlan({ ...recall(), game: "pup-rummy", changes: { timer: 60 }, hints: false });
    expect(recall()).toMatchObject({ game: "pup-rummy", changes: { timer: 60 }, hints: false });
    expect(recall("friends").game).toBe("rrrummy");
  });

  it("forgets what the server no longer knows", () => {
    rememberPlan({
      ...recall(),
      game: "gone",
      changes: { timer: 60 },
      seats: [{ type: "me" }, { type: "computer", player: "gone" }],
    });
    expect(recall()).toMatchObject({ game: "rrrummy", changes: {} });
    expect(recall().seats).toHaveLength(3);
    rememberPlan({ ...recall(), changes: { timer: 60, gone: 1 } });
    expect(recall().changes).toEqual({ timer: 60 });
  });

  it("starts at once unless somebody is waited for", () => {
    expect(requestOf(recall())).toMatchObject({
      start: true,
      seats: [{ type: "mine" }, { player: "b" }, { player: "b" }],
      settings: { game: "rrrummy", rules: {}, private: true, spectators: false, theme: "oak" },
    });
    expect(requestOf(recall("friends"))).toMatchObject({
      start: false,
      settings: { spectators: true },
    });
    expect(requestOf(recall("device")).seats).toEqual([
      { type: "mine", name: "Ana" },
      { type: "mine", name: "Ben" },
    ]);
  });
});
