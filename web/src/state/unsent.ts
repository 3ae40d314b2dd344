/**
 * Arrangements that the server has not acknowledged yet, kept in this browser until it has.
 *
 * A reload, or a tab that is closed, loses nothing that was arranged while the connection was
 * away. Each seat of a table has a place of its own, and what is kept says whose it is: around
 * one device nobody gets another's, nor does the next person who signs in here. Two tabs at one
 * table share the place, and as at the server the higher revision stays.
 */
import { parseTile } from "../board/tiles.ts";
import type { Draft } from "../net/protocol.ts";

interface Kept {
  readonly user: string;
  /** When it was kept, in milliseconds. */
  readonly at: number;
  readonly draft: Draft;
}

const PREFIX = "meldwise.unsent.";
/** What nobody came back for is of no use any more. */
const LONGEST = 3 * 24 * 3_600_000;

/** Whether an arrangement replaces another of its seat: revisions count anew in each round. */
export const isNewer = (draft: Draft, other: Draft | undefined): boolean =>
  !other ||
  draft.round > other.round ||
  (draft.round === other.round && draft.revision > other.revision);

export class UnsentDrafts {
  private readonly table: string;

  constructor(table: string) {
    this.table = table;
    quietly(() => {
      const keys = Array.from({ length: localStorage.length }, (_, place) =>
        localStorage.key(place),
      );
      for (const key of keys)
        if (key?.startsWith(PREFIX) && !read(key)) localStorage.removeItem(key);
    });
  }

  /** Keeps an arrangement, unless a newer one of its seat is there. */
  put(user: string, draft: Draft): void {
    const old = this.get(user, draft.seat);
    if (old && isNewer(old, draft)) return;
    const kept: Kept = { user, at: Date.now(), draft };
    quietly(() => localStorage.setItem(this.key(draft.seat), JSON.stringify(kept)));
  }

  /** What a user arranged for a seat that the server does not have yet, as far as is known. */
  get(user: string, seat: number): Draft | undefined {
    const kept = quietly(() => read(this.key(seat)));
    return kept?.user === user && kept.draft.seat === seat ? kept.draft : undefined;
  }

  /** Forgets what the server has, or what replaces it: all but something newer. */
  drop(user: string, draft: Draft): void {
    const kept = this.get(user, draft.seat);
    if (kept && !isNewer(kept, draft)) quietly(() => localStorage.removeItem(this.key(draft.seat)));
  }

  private key(seat: number): string {
    return `${PREFIX}${this.table}.${seat}`;
  }
}

function read(key: string): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
    if (!kept || !(Date.now() - kept.at < LONGEST)) return undefined;
    const { seat, round, turn, revision, melds, hand } = kept.draft;
    const numbers = [seat, round, turn, revision].every(Number.isInteger);
    for (const text of [...hand, ...melds.map((meld) => meld.tiles)].flat()) parseTile(text);
    return numbers ? kept : undefined;
  } catch {
    // What cannot be read is as good as nothing.
    return undefined;
  }
}

/** A browser that keeps nothing still plays. */
function quietly<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
