import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerMessage } from "./protocol.ts";
import { Refused, TableLink } from "./table.ts";

class FakeSocket {
  static all: FakeSocket[] = [];
  readonly sent: { type: string; id?: string; seen?: number | null }[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {}
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const state = (seq: number) => ({
  seq,
  clock: { now: 1000, deadline: null, left: null, what: null },
});
const welcome = (seq: number) => ({ type: "welcome", state: state(seq) });
const update = (seq: number) => ({ type: "update", seq, state: state(seq), events: [] });

function link() {
  const got: string[] = [];
  const made = new TableLink("t 1", {
    welcome: (message) => got.push(`welcome ${message.state.seq}`),
    update: (message) => got.push(`update ${message.seq}`),
    draft: () => got.push("draft"),
    watchers: () => got.push("watchers"),
    connection: () => {},
    gone: (code) => got.push(`gone ${code}`),
  });
  made.open();
  return { made, got };
}

const last = (): FakeSocket => FakeSocket.all[FakeSocket.all.length - 1];
const kinds = (socket: FakeSocket): string[] =>
  socket.sent.map((message) => message.type).filter((type) => type !== "ping");

describe("the stream of a table", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("location", { protocol: "http:", host: "here" });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("resumes from the newest update that it has", () => {
    const { got } = link();
    last().onopen?.();
    expect(last().sent[0]).toMatchObject({ type: "hello", seen: null });
    last().hear(welcome(4));
    last().hear(update(5));
    last().onclose?.({ code: 1006, reason: "" });
    vi.advanceTimersByTime(400);
    last().onopen?.();
    expect(last().sent[0]).toMatchObject({ type: "hello", seen: 5 });
    expect(got).toEqual(["welcome 4", "update 5"]);
  });

  it("reconnects at a gap and ignores what it has seen", () => {
    const { got } = link();
    last().onopen?.();
    last().hear(welcome(4));
    last().hear(update(4));
    expect(FakeSocket.all.length).toBe(1);
    last().hear(update(6));
    expect(FakeSocket.all.length).toBe(2);
    last().onopen?.();
    last().hear(welcome(6));
    expect(got).toEqual(["welcome 4", "welcome 6"]);
  });

  it("sends a command again, under the same id, until it is answered", async () => {
    const { made } = link();
    last().onopen?.();
    last().hear(welcome(4));
    const answer = made.command({ type: "draw", seat: 0 });
    const id = last().sent.at(-1)?.id;
    expect(last().sent.at(-1)).toMatchObject({ type: "draw", seat: 0, seen: 4 });
    last().onclose?.({ code: 1006, reason: "" });
    vi.advanceTimersByTime(400);
    last().onopen?.();
    expect(kinds(last())).toEqual(["hello"]);
    last().hear(welcome(5));
    expect(last().sent.find((message) => message.type === "draw")?.id).toBe(id);
    last().hear({ type: "reply", to: id, seq: 5, repeated: true });
    await expect(answer).resolves.toMatchObject({ repeated: true });
    last().onclose?.({ code: 1006, reason: "" });
    vi.advanceTimersByTime(400);
    last().onopen?.();
    last().hear(welcome(5));
    expect(kinds(last())).toEqual(["hello"]);
  });

  it("sends of the arrangements that were made meanwhile only the newest of each seat", async () => {
    const { made } = link();
    last().onopen?.();
    last().hear(welcome(4));
    const keep = (seat: number, revision: number) =>
      made.command({ type: "keep_draft", seat, revision, melds: [], hand: [], check: true });
    const answered = keep(0, 1);
    last().onclose?.({ code: 1006, reason: "" });
    const late = [keep(0, 2), keep(1, 5), keep(0, 3)];
    await expect(answered).rejects.toMatchObject({ code: "net.superseded" });
    await expect(late[0]).rejects.toMatchObject({ code: "net.superseded" });
    vi.advanceTimersByTime(400);
    last().onopen?.();
    last().hear(welcome(5));
    const drafts = last().sent.filter((message) => message.type === "keep_draft");
    expect(drafts).toMatchObject([
      { seat: 1, revision: 5 },
      { seat: 0, revision: 3 },
    ]);
  });

  it("tells a refusal with its verdict", async () => {
    const { made } = link();
    last().onopen?.();
    last().hear(welcome(1));
    const answer = made.command({ type: "draw", seat: 1 });
    const verdict = { legal: false };
    const to = last().sent.at(-1)?.id;
    last().hear({
      type: "failed",
      to,
      code: "action.not_your_turn",
      fields: {},
      message: "No.",
      verdict,
    });
    await expect(answer).rejects.toThrow(Refused);
    await expect(answer).rejects.toMatchObject({
      code: "action.not_your_turn",
      sentence: "No.",
      verdict,
    });
  });

  it("says when it is over for good, and ignores kinds that it does not know", async () => {
    const { made, got } = link();
    last().onopen?.();
    last().hear({ type: "something_new" } as unknown as ServerMessage);
    const answer = made.command({ type: "rematch" });
    last().onclose?.({ code: 4404, reason: "" });
    await expect(answer).rejects.toMatchObject({ code: "net.closed" });
    expect(got).toEqual(["gone 4404"]);
  });
});
