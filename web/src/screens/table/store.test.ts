import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Event } from "../../net/protocol.ts";
import { TableStore } from "./store.svelte.ts";

let socket: FakeSocket;

class FakeSocket {
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;
  constructor() {
    socket = this;
  }
  send(): void {}
  close(): void {}
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let leave = () => {};

function storage() {
  const items = new Map<string, string>();
  return {
    length: 0,
    key: () => null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  };
}

/** A state in which seat 0 looks at the turn of a seat; only what is read is there. */
const state = (seq: number, turn: number, seat: number, hand: string[]) => ({
  seq,
  status: "playing",
  mine: [0],
  seats: [
    { name: "Ana", opened: true, left: false },
    { name: "Ben", opened: true, left: false },
  ],
  clock: { now: 1000, deadline: null, left: null, what: "turn" },
  match: {
    round: { number: 1, turn, seat, table: [], stock: 30, over: false },
    hands: [{ seat: 0, tiles: hand }],
    results: [],
  },
});
const update = (seq: number, turn: number, seat: number, hand: string[], ...events: object[]) =>
  socket.hear({ type: "update", seq, at: 0, state: state(seq, turn, seat, hand), events });
const drew = (seat: number) => ({ type: "drew", seat, tiles: [], count: 1, stock: 29 });
const began = (seat: number) => ({ type: "turn_began", seat }) as unknown as Event;

describe("a table", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("location", { protocol: "http:", host: "here" });
    vi.stubGlobal("document", {
      hidden: false,
      documentElement: { lang: "en" },
      visibilityState: "visible",
      addEventListener: () => {},
      removeEventListener: () => {},
    });
    vi.stubGlobal("addEventListener", (type: string, listen: () => void) => {
      if (type === "pagehide") leave = listen;
    });
    vi.stubGlobal("removeEventListener", () => {});
    for (const name of ["localStorage", "sessionStorage"]) vi.stubGlobal(name, storage());
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("gives the eye time for others' turns, and shows the own at once", async () => {
    const store = new TableStore("t1");
    store.open();
    socket.onopen?.();
    const first = { state: state(1, 1, 1, ["r1"]), history: [], chat: [], drafts: [] };
    socket.hear({ type: "welcome", code: null, user: "u1", watchers: 0, ...first });
    expect(store.state?.seq).toBe(1);
    // Two others draw one after the other: the second is seen a moment later.
    update(2, 2, 1, ["r1"], drew(1), began(1));
    update(3, 3, 0, ["r1"], drew(1), began(0));
    expect(store.state?.seq).toBe(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(store.state?.seq).toBe(3);
    update(4, 4, 1, ["r1", "b2"], drew(0), began(1));
    update(5, 5, 0, ["r1", "b2"], drew(1), began(0));
    await vi.advanceTimersByTimeAsync(0);
    expect(store.state?.seq).toBe(5);
    expect(store.myTurn).toBe(true);
    // It is the own turn, and the eye still has time for what was last; one's own draw has come.
    update(6, 6, 1, ["r1", "b2", "k3"], drew(0), began(1));
    await vi.advanceTimersByTimeAsync(0);
    expect(store.state?.seq).toBe(6);
    expect(store.myTurn).toBe(false);
    store.close();
  });

  it("begins with what was shown last while the server is away, and goes on from there", async () => {
    const settings = { rules: {} };
    const first = {
      state: state(4, 3, 0, ["r1", "r2"]),
      history: [],
      chat: [],
      drafts: [],
      settings,
    };
    const welcome = { type: "welcome", code: null, user: "u1", watchers: 0, ...first };
    const before = new TableStore("t1");
    before.open();
    socket.onopen?.();
    socket.hear(welcome);
    const piece = before.play.held[0].id;
    before.play.move([piece], { to: "new" });
    leave();

    const after = new TableStore("t1");
    after.open();
    expect(after.state).toBeUndefined();
    socket.onclose?.({ code: 1006, reason: "" });
    expect(after.state?.seq).toBe(4);
    expect(after.deadline).toBeUndefined();
    expect(after.play.laid.length).toBe(1);
    expect(after.play.held.length).toBe(1);
    after.play.move([after.play.held[0].id], { to: "new" });
    await vi.advanceTimersByTimeAsync(1000);
    socket.onopen?.();
    socket.hear(welcome);
    expect(after.play.laid.length).toBe(2);
    // Another table has no part in it.
    const other = new TableStore("t2");
    other.open();
    socket.onclose?.({ code: 1006, reason: "" });
    expect(other.state).toBeUndefined();
    for (const store of [after, other]) store.close();
  });

  it("puts away what one had tried when one's turn has ended meanwhile", async () => {
    const settings = { rules: {} };
    const common = { type: "welcome", code: null, user: "u1", watchers: 0, chat: [], drafts: [] };
    const before = new TableStore("t1");
    before.open();
    socket.onopen?.();
    socket.hear({ ...common, settings, history: [], state: state(4, 3, 0, ["r1", "r2"]) });
    before.play.move([before.play.held[0].id], { to: "new" });
    leave();
    const after = new TableStore("t1");
    after.open();
    socket.onclose?.({ code: 1006, reason: "" });
    expect(after.play.laid.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    socket.onopen?.();
    const history = [{ seq: 5, at: 0, events: [drew(0), began(1)] }];
    socket.hear({ ...common, settings, history, state: state(5, 4, 1, ["r1", "r2", "b9"]) });
    expect(after.play.laid).toEqual([]);
    expect(after.play.held.length).toBe(3);
    after.close();
  });
});
