/** The arrangements of the own seats: here, on the way to the server, and acknowledged by it. */
import type { Draft, TableState, Verdict } from "../../net/protocol.ts";
import type { TableLink } from "../../net/table.ts";
import { isNewer, UnsentDrafts } from "../../state/unsent.ts";

export class OwnDrafts {
  user = "";
  private readonly link: Pick<TableLink, "command">;
  private readonly newest = new Map<number, Draft>();
  private readonly unsent: UnsentDrafts;

  constructor(table: string, link: Pick<TableLink, "command">) {
    this.link = link;
    this.unsent = new UnsentDrafts(table);
  }

  get all(): readonly Draft[] {
    return [...this.newest.values()];
  }

  /** The newest arrangement of an own seat, for when it is shown again. */
  of(seat: number): Draft | undefined {
    return this.newest.get(seat);
  }

  /** The server or another tab tells of one. */
  heard(draft: Draft): void {
    if (isNewer(draft, this.of(draft.seat))) this.newest.set(draft.seat, draft);
  }

  /** Something was arranged; until the server has it, this browser keeps it. */
  changed(draft: Draft): void {
    this.unsent.put(this.user, draft);
  }

  /** Keeps an arrangement at the server; what the rules say of it, if the server takes it. */
  async keep(draft: Draft): Promise<Verdict | undefined> {
    this.newest.set(draft.seat, draft);
    const { seat, revision, melds, hand } = draft;
    try {
      const wish = { type: "keep_draft", seat, revision, melds, hand, check: true } as const;
      const answer = await this.link.command(wish);
      this.unsent.drop(this.user, draft);
      return answer.type === "verdict" ? answer.verdict : undefined;
    } catch {
      // Too late or lost: the next arrangement is kept again.
      return undefined;
    }
  }

  /**
   * What was arranged in this browser before the page was loaded, where it is newer than what is
   * known otherwise; what belongs to a round that is over is forgotten.
   */
  recall(state: TableState, known: readonly Draft[]): Draft[] {
    const round = state.match?.round;
    return state.mine.flatMap((seat) => {
      const draft = this.unsent.get(this.user, seat);
      if (!draft) return [];
      if (draft.round !== round?.number || round.over) this.unsent.drop(this.user, draft);
      else if (
        isNewer(
          draft,
          known.find((one) => one.seat === seat),
        )
      )
        return [draft];
      return [];
    });
  }
}
