import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Connection, HealingSocket } from "./socket.ts";

class Fake {
  static all: Fake[] = [];
  sent: string[] = [];
  closed = false;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;
  constructor() {
    Fake.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
}

function build(more: object = {}) {
  const states: Connection[] = [];
  const got: unknown[] = [];
  const socket = new HealingSocket<unknown, unknown>({
    url: () => "ws://x",
    greet: () => ({ hello: got.length }),
    ping: () => ({ ping: 1 }),
    onmessage: (message) => got.push(message),
    onconnection: (state) => states.push(state),
    make: () => new Fake() as unknown as WebSocket,
    random: () => 1,
    ...more,
  });
  return { socket, states, got };
}

describe("a connection that heals", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    Fake.all = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("greets on each opening, with what it has by then", () => {
    const { socket, got } = build();
    socket.open();
    Fake.all[0].onopen?.();
    expect(Fake.all[0].sent).toEqual(['{"hello":0}']);
    Fake.all[0].onmessage?.({ data: '{"a":1}' });
    Fake.all[0].onclose?.({ code: 1006, reason: "" });
    vi.advanceTimersByTime(300);
    Fake.all[1].onopen?.();
    expect(Fake.all[1].sent).toEqual(['{"hello":1}']);
    expect(got).toEqual([{ a: 1 }]);
  });

  it("waits longer each time, up to a limit, and begins anew after a success", () => {
    const { socket, states } = build();
    socket.open();
    for (const pause of [300, 600, 1200, 2400, 4800, 8000, 8000]) {
      const before = Fake.all.length;
      Fake.all[before - 1].onclose?.({ code: 1006, reason: "" });
      vi.advanceTimersByTime(pause - 1);
      expect(Fake.all.length).toBe(before);
      vi.advanceTimersByTime(1);
      expect(Fake.all.length).toBe(before + 1);
    }
    const last = Fake.all[Fake.all.length - 1];
    last.onopen?.();
    last.onmessage?.({ data: "1" });
    last.onclose?.({ code: 1006, reason: "" });
    vi.advanceTimersByTime(300);
    expect(Fake.all[Fake.all.length - 1]).not.toBe(last);
    expect(states).toEqual(["connecting", "lost", "open", "lost"]);
  });

  it("notices a connection that is open but dead", () => {
    const { socket, states } = build({ quiet: 10_000 });
    socket.open();
    Fake.all[0].onopen?.();
    vi.advanceTimersByTime(10_000);
    expect(Fake.all[0].sent.at(-1)).toBe('{"ping":1}');
    vi.advanceTimersByTime(6000);
    expect(Fake.all[0].closed).toBe(true);
    expect(states.at(-1)).toBe("lost");
  });

  it("does not try again after a final refusal", () => {
    const finals: number[] = [];
    const { socket, states } = build({
      final: [4404],
      onfinal: (code: number) => finals.push(code),
    });
    socket.open();
    Fake.all[0].onclose?.({ code: 4404, reason: "gone" });
    vi.advanceTimersByTime(60_000);
    expect(Fake.all.length).toBe(1);
    expect(finals).toEqual([4404]);
    expect(states.at(-1)).toBe("closed");
  });

  it("ignores text that is not JSON and sends nothing when lost", () => {
    const { socket, got } = build();
    socket.open();
    expect(socket.send({ a: 1 })).toBe(false);
    Fake.all[0].onopen?.();
    Fake.all[0].onmessage?.({ data: "{" });
    expect(got).toEqual([]);
    expect(socket.send({ a: 1 })).toBe(true);
  });
});
