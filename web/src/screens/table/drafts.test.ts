import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Draft, TableState } from "../../net/protocol.ts";
import type { Answer, Wish } from "../../net/table.ts";
import { OwnDrafts } from "./drafts.ts";

const draft = (revision: number, more: Partial<Draft> = {}): Draft => ({
  seat: 0,
  round: 1,
  turn: 3,
  revision,
  melds: [],
  hand: [["k2", "b1"]],
  ...more,
});
const state = (round: number, mine = [0], over = false) =>
  ({ mine, match: { round: { number: round, turn: 3, over } } }) as unknown as TableState;

function build() {
  const sent: { wish: Wish; answer: (answer: Answer) => void; fail: (error: Error) => void }[] = [];
  const drafts = new OwnDrafts("t1", {
    command: (wish) =>
      new Promise((answer, fail) => {
        sent.push({ wish, answer, fail });
      }),
  });
  drafts.user = "ana";
  return { drafts, sent };
}

const verdict = { type: "verdict", verdict: { legal: true } } as unknown as Answer;

describe("the arrangements of the own seats", () => {
  const items = new Map<string, string>();
  beforeEach(() => {
    items.clear();
    vi.stubGlobal("localStorage", {
      get length() {
        return items.size;
      },
      key: (place: number) => [...items.keys()][place] ?? null,
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
      removeItem: (key: string) => items.delete(key),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("are kept in the browser until the server has the newest", async () => {
    const { drafts, sent } = build();
    drafts.changed(draft(1));
    const first = drafts.keep(draft(1));
    drafts.changed(draft(2));
    sent[0].answer(verdict);
    expect(await first).toEqual({ legal: true });
    expect(build().drafts.recall(state(1), [])).toEqual([draft(2)]);
    const second = drafts.keep(draft(2));
    sent[1].answer(verdict);
    await second;
    expect(build().drafts.recall(state(1), [])).toEqual([]);
    expect(items.size).toBe(0);
  });

  it("stay in the browser when they do not arrive", async () => {
    const { drafts, sent } = build();
    drafts.changed(draft(1));
    const kept = drafts.keep(draft(1));
    sent[0].fail(new Error("lost"));
    expect(await kept).toBeUndefined();
    expect(build().drafts.recall(state(1), [])).toEqual([draft(1)]);
  });

  it("are taken up unless the server has one as new", () => {
    build().drafts.changed(draft(4));
    expect(build().drafts.recall(state(1), [draft(4)])).toEqual([]);
    expect(build().drafts.recall(state(1), [draft(5)])).toEqual([]);
    expect(build().drafts.recall(state(1), [draft(3), draft(9, { seat: 1 })])).toEqual([draft(4)]);
  });

  it("are forgotten once their round is over", () => {
    for (const later of [state(2), state(1, [0], true)]) {
      build().drafts.changed(draft(4));
      expect(build().drafts.recall(later, [])).toEqual([]);
      expect(items.size).toBe(0);
    }
  });

  it("are taken up for the own seats alone, each its own", () => {
    const one = build().drafts;
    one.changed(draft(4));
    one.changed(draft(2, { seat: 1 }));
    expect(build().drafts.recall(state(1, [1]), [])).toEqual([draft(2, { seat: 1 })]);
    expect(build().drafts.recall(state(1, [0, 1]), []).length).toBe(2);
    const other = build().drafts;
    other.user = "ben";
    expect(other.recall(state(1, [0, 1]), [])).toEqual([]);
  });

  it("count anew in each round", () => {
    const { drafts } = build();
    drafts.heard(draft(9));
    drafts.heard(draft(8));
    expect(drafts.of(0)?.revision).toBe(9);
    drafts.heard(draft(1, { round: 2 }));
    expect(drafts.all).toEqual([draft(1, { round: 2 })]);
  });
});
