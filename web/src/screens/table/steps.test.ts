import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { setLanguage } from "../../i18n/index.svelte.ts";
import type { Event, SeatState, Step } from "../../net/protocol.ts";
import { linesOf } from "./steps.ts";

const seats = [{ name: "Ana" }, { name: "Ben" }] as SeatState[];
const step = (...events: Event[]): Step => ({ seq: 7, at: 0, events });

describe("the log", () => {
  beforeAll(async () => {
    vi.stubGlobal("document", { documentElement: { lang: "en" } });
    await setLanguage("en");
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  it("tells that others are back, and not oneself that one has come", () => {
    const back = [0, 1].map((seat) => ({ type: "back", seat }) as Event);
    const texts = (me: number | undefined) =>
      linesOf(step(...back), { seats, me }).map((line) => line.text);
    expect(texts(0)).toEqual(["Ben is back."]);
    expect(texts(undefined)).toEqual(["Ana is back.", "Ben is back."]);
  });

  it("keeps with each line its step, its kind and its seat", () => {
    const passed: Event = { type: "passed", seat: 1, cause: "choice" };
    expect(linesOf(step(passed), { seats, me: 0 })).toEqual([
      { seq: 7, type: "passed", seat: 1, text: "Ben passed." },
    ]);
  });
});
