import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Draft } from "../net/protocol.ts";
import { isNewer, UnsentDrafts } from "./unsent.ts";

class FakeStorage {
  readonly items = new Map<string, string>();
  full = false;
  get length(): number {
    return this.items.size;
  }
  key(place: number): string | null {
    return [...this.items.keys()][place] ?? null;
  }
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
}

const draft = (revision: number, more: Partial<Draft> = {}): Draft => ({
  seat: 0,
  round: 1,
  turn: 3,
  revision,
  melds: [{ kind: "run", tiles: ["r4", "r5"] }],
  hand: [["k2", "b1"]],
  ...more,
});

describe("what the server has not acknowledged", () => {
  let storage: FakeStorage;
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
    storage = new FakeStorage();
    vi.stubGlobal("localStorage", storage);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is there again after a reload, for its user, table and seat alone", () => {
    new UnsentDrafts("t1").put("ana", draft(4));
    expect(new UnsentDrafts("t1").get("ana", 0)).toEqual(draft(4));
    expect(new UnsentDrafts("t1").get("ben", 0)).toBeUndefined();
    expect(new UnsentDrafts("t1").get("ana", 1)).toBeUndefined();
    expect(new UnsentDrafts("t2").get("ana", 0)).toBeUndefined();
  });

  it("keeps the newer of two tabs, and counts anew in each round", () => {
    const one = new UnsentDrafts("t1");
    const other = new UnsentDrafts("t1");
    one.put("ana", draft(5));
    other.put("ana", draft(4));
    expect(one.get("ana", 0)?.revision).toBe(5);
    other.put("ana", draft(1, { round: 2 }));
    expect(one.get("ana", 0)).toMatchObject({ round: 2, revision: 1 });
    expect(isNewer(draft(9), draft(1, { round: 2 }))).toBe(false);
    expect(isNewer(draft(2), draft(2))).toBe(false);
    expect(isNewer(draft(0), undefined)).toBe(true);
  });

  it("is forgotten once the server has it, but not what is newer", () => {
    const drafts = new UnsentDrafts("t1");
    drafts.put("ana", draft(5));
    drafts.drop("ana", draft(4));
    drafts.drop("ben", draft(6));
    expect(drafts.get("ana", 0)?.revision).toBe(5);
    drafts.drop("ana", draft(5));
    expect(storage.items.size).toBe(0);
  });

  it("takes the place of what another user left", () => {
    const drafts = new UnsentDrafts("t1");
    drafts.put("ana", draft(5));
    drafts.put("ben", draft(1));
    expect(drafts.get("ben", 0)?.revision).toBe(1);
    expect(drafts.get("ana", 0)).toBeUndefined();
  });

  it("goes after some days, of whatever table, and so does what cannot be read", () => {
    new UnsentDrafts("t1").put("ana", draft(5));
    storage.items.set("meldwise.unsent.t3.0", "{");
    storage.items.set("meldwise.unsent.t4.0", '{"user":"ana","at":1000000,"draft":{}}');
    const wrong = { user: "ana", at: 1_000_000, draft: draft(1, { hand: [["r14"]] }) };
    storage.items.set("meldwise.unsent.t5.0", JSON.stringify(wrong));
    storage.items.set("meldwise.settings", "{}");
    new UnsentDrafts("t2");
    expect([...storage.items.keys()]).toEqual(["meldwise.unsent.t1.0", "meldwise.settings"]);
    vi.advanceTimersByTime(4 * 24 * 3_600_000);
    expect(new UnsentDrafts("t1").get("ana", 0)).toBeUndefined();
    expect([...storage.items.keys()]).toEqual(["meldwise.settings"]);
  });

  it("does without storage that is full, or not there", () => {
    const drafts = new UnsentDrafts("t1");
    drafts.put("ana", draft(5));
    storage.full = true;
    drafts.put("ana", draft(6));
    vi.stubGlobal("localStorage", undefined);
    const bare = new UnsentDrafts("t1");
    bare.put("ana", draft(7));
    bare.drop("ana", draft(7));
    expect(bare.get("ana", 0)).toBeUndefined();
  });
});
