import { describe, expect, it } from "vitest";
import type { Game, RuleField, Rules } from "../net/protocol.ts";
import {
  type Changes,
  formatMixture,
  jokerLevel,
  limits,
  parseMixtures,
  rebase,
  ruleValue,
  stepped,
  withLevel,
  withValue,
} from "./rules.ts";

const base = {
  opening_minimum: 30,
  timer: null,
  both_colours: false,
  match_end: "rounds",
  jokers: 2,
};
const game = (name: string, changes: Partial<Rules> = {}): Game => ({
  name,
  title: name,
  summary: "",
  rules: { ...base, ...changes } as Rules,
});
const plain = game("plain");
const fifty = game("tiles-50", { opening_minimum: 50 });

const field = (name: string, more: Partial<RuleField>): RuleField => ({
  name,
  group: "",
  kind: "integer",
  label: name,
  help: "",
  low: null,
  high: null,
  unit: "",
  choices: [],
  ranges: {},
  default: null,
  ...more,
});
const fields = [
  field("opening_minimum", { low: 0, high: 200 }),
  field("timer", { kind: "optional_integer", low: 20, high: 120 }),
  field("both_colours", { kind: "switch" }),
  field("match_end", {
    kind: "choice",
    choices: ["rounds", "time", "target"].map((value) => ({ value, label: value })),
  }),
  field("match_length", { ranges: { rounds: [1, 99], target: [50, 5000] } }),
];

describe("a mixture", () => {
  it("holds only what differs from its game", () => {
    const changed = withValue(plain, {}, "timer", 60);
    expect(changed).toEqual({ timer: 60 });
    expect(ruleValue(plain, changed, "timer")).toBe(60);
    expect(ruleValue(plain, changed, "opening_minimum")).toBe(30);
    expect(withValue(plain, changed, "timer", null)).toEqual({});
  });

  it("keeps its wishes when the game changes", () => {
    expect(rebase(plain, fifty, { opening_minimum: 50, timer: 60 })).toEqual({ timer: 60 });
  });

  it("has the limits of the match's end", () => {
    expect(limits(fields[4], plain, {})).toEqual([1, 99]);
    expect(limits(fields[4], plain, { match_end: "target" })).toEqual([50, 5000]);
  });

  it("knows its joker level", () => {
    const levels: Changes[] = [{ both_colours: false }, { both_colours: true, jokers: 2 }];
    expect(jokerLevel(plain, {}, levels)).toBe(0);
    const second = withLevel(plain, {}, levels[1]);
    expect(second).toEqual({ both_colours: true });
    expect(jokerLevel(plain, second, levels)).toBe(1);
    expect(jokerLevel(plain, { both_colours: true, jokers: 4 }, levels)).toBeUndefined();
  });

  it("steps onto round numbers and stays within limits", () => {
    expect(stepped(30, 5, true, 0, 200)).toBe(35);
    expect(stepped(32, 5, true, 0, 200)).toBe(35);
    expect(stepped(32, 5, false, 0, 200)).toBe(30);
    expect(stepped(198, 5, true, 0, 199)).toBe(199);
    expect(stepped(20, 10, false, 20, 120)).toBe(20);
  });
});

describe("the text of mixtures", () => {
  it("is read as it is written", () => {
    const mixture = {
      name: "Friday: late",
      game: "tiles-50",
      changes: { timer: 60, both_colours: true, match_end: "target" },
    };
    const text = formatMixture(mixture);
    expect(text).toBe("Friday: late: tiles-50 timer=60 both_colours=yes match_end=target");
    expect(parseMixtures(`# mine\n\n${text}\n`, [plain, fifty], fields)).toEqual({
      mixtures: [mixture],
      faults: [],
    });
  });

  it("says what it cannot read, and where", () => {
    const text = "no colon\nx: nowhere\ny: plain wind=3\nz: plain timer=soon\nok: plain timer=off";
    const { mixtures, faults } = parseMixtures(text, [plain, fifty], fields);
    expect(faults.map(({ line, kind }) => [line, kind])).toEqual([
      [1, "form"],
      [2, "game"],
      [3, "field"],
      [4, "value"],
    ]);
    expect(mixtures).toEqual([{ name: "ok", game: "plain", changes: {} }]);
  });
});
