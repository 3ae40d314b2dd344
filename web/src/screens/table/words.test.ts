import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { parseMeld } from "../../board/melds.ts";
import { parseTile } from "../../board/tiles.ts";
import { type Language, setLanguage } from "../../i18n/index.svelte.ts";
import type { Event, Meld, SeatState } from "../../net/protocol.ts";
import { eventText, faultText, meldName, phraseText, roleName, tileName } from "./words.ts";

const seats = [{ name: "Ana" }, { name: "Ben" }] as SeatState[];
const wire = (text: string): Meld[] =>
  text
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      const { kind, cells } = parseMeld(word);
      const names = cells.map((cell) => `${"rykb"[Math.floor(cell / 13)]}${(cell % 13) + 1}`);
      return {
        kind,
        tiles: cells.map((cell, index) => (cell === 52 ? "*" : names[index])),
        jokers: [],
      };
    });

const played = (
  tiles: string,
  before: string,
  after: string,
  opening: number | null = null,
): Event => ({
  type: "played",
  seat: 1,
  tiles: tiles.split(" "),
  before: wire(before),
  after: wire(after),
  opening,
  jokers: [],
  left: 5,
  cause: "choice",
});

const drew: Event = { type: "drew", seat: 1, tiles: [], count: 1, stock: 3, cause: "choice" };
const result = { number: 1, winner: 1, scores: [-5, 5], hands: [["r5"], []], opened: [true, true] };

const everything: Event[] = [
  {
    type: "drew_for_start",
    draws: [
      { seat: 0, tile: "r3" },
      { seat: 1, tile: "*" },
    ],
  },
  { type: "round_started", number: 2, first: 1 },
  played("r8", "r5-6-7", "r5-6-7-8"),
  played("b1 b2 b3", "", "b1-2-3"),
  played("b10 b11 b12", "", "b10-11-12", 33),
  played("r4", "r5-6-7-8 8byk", "r4-5-6-7 8byk"),
  drew,
  { ...drew, cause: "time_out" },
  { ...drew, seat: 0, tiles: ["k9"] },
  { ...drew, seat: 0, tiles: ["k9"], cause: "time_out" },
  { type: "passed", seat: 1, cause: "choice" },
  { type: "penalised", seat: 1, tiles: [], count: 3, stock: 2, problems: [], cause: "invalid" },
  { type: "skipped", seat: 1, left: 0 },
  { type: "stock_emptied", last_turns: null },
  { type: "redeal_asked", seat: 1 },
  { type: "round_ended", result: { ...result, end: "won" } },
  { type: "round_ended", result: { ...result, end: "blocked" } },
  { type: "match_ended", totals: [-5, 5], winners: [0, 1] },
  { type: "away", seat: 1, until: null },
  { type: "back", seat: 1 },
  { type: "seat_left", seat: 1, chosen: true },
  { type: "seat_taken_over", seat: 1, player: "plain" },
  { type: "seat_returned", seat: 1 },
  { type: "pause_wanted", seat: 1, want: true },
  { type: "paused", reason: "agreed" },
  { type: "resumed" },
];

describe("what happened, in words", () => {
  beforeAll(async () => {
    vi.stubGlobal("document", { documentElement: { lang: "en" } });
    await setLanguage("en");
  });
  afterEach(async () => {
    await setLanguage("en");
  });

  it("tells what was added to what, and by whom", () => {
    const me = undefined;
    const said = (event: Event) => eventText(event, { seats, me });
    expect(said(everything[2])).toBe("Ben added red 8 to red 5 to 7.");
    expect(said(everything[3])).toBe("Ben laid blue 1 to 3.");
    expect(said(everything[4])).toBe("Ben opened with 33 points: blue 10 to 12.");
    expect(said(drew)).toBe("Ben drew a tile.");
    expect(eventText(drew, { seats, me: 1 })).toBe("You drew a tile.");
    expect(eventText(everything[8], { seats, me: 0 })).toBe("You drew black 9.");
    expect(said({ type: "pause_wanted", seat: 1, want: false })).toBeUndefined();
    expect(said({ type: "settings_changed" })).toBeUndefined();
  });

  it.each(["en", "fr", "ca", "nl"] as Language[])("leaves nothing open in %s", async (language) => {
    await setLanguage(language);
    for (const event of everything) {
      for (const me of [undefined, 0, 1]) {
        const text = eventText(event, { seats, me });
        expect(text, event.type).toBeTruthy();
        expect(text, event.type).not.toMatch(/[{}]|undefined|NaN/);
      }
    }
  });
});

describe("names", () => {
  it("are those of tiles and melds", () => {
    expect(tileName(parseTile("k13"))).toBe("black 13");
    expect(tileName(parseTile("*"))).toBe("joker");
    expect(meldName(parseMeld("r5-6-*-8"))).toBe("red 5 to 8");
    expect(meldName(parseMeld("7ry*"))).toBe("set of 7s: red, yellow, and joker");
    expect(meldName(parseMeld("run(r4,b5,r6)"))).toBe("red 4, blue 5, and red 6");
    expect(meldName(parseMeld("r5-6"))).toBe("red 5 to 6");
    expect(roleName([parseTile("r7"), parseTile("b7")])).toBe("red 7 or blue 7");
    expect(phraseText("good_luck")).toBe("Good luck!");
    expect(faultText("meld.too_short", { count: 2 })).toContain("only 2 tiles");
    expect(faultText("no.such.code")).not.toBe("");
  });
});
