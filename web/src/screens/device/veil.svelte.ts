/** The curtain of one table: which own seat is shown, kept in step with the table and the page. */
import { flushSync, untrack } from "svelte";
import {
  COVERED,
  onHide,
  onLift,
  onScene,
  type Veil,
  visibleSeat,
  watchForHiding,
} from "../../state/device.ts";
import { spoken, toasts } from "../../state/messages.svelte.ts";
import type { LogLine } from "../table/steps.ts";
import type { TableStore } from "../table/store.svelte.ts";

/** What somebody who comes back to the device wants to know. */
const TOLD = new Set<LogLine["type"]>([
  "round_started",
  "played",
  "drew",
  "passed",
  "penalised",
  "stock_emptied",
]);
/** A second press on the way from one turn to the next lifts nothing. */
const MOMENT = 700;

export class TableVeil {
  veil: Veil = $state.raw(COVERED);
  /** What has happened since the person behind the curtain saw the table. */
  readonly missed: readonly LogLine[] = $derived.by(() => {
    if (this.veil.kind !== "curtain") return [];
    const since = this.seen.get(this.veil.seat) ?? 0;
    return this.store.log.filter((line) => line.seq > since && TOLD.has(line.type)).slice(-4);
  });
  private readonly store: TableStore;
  private readonly seen = new Map<number, number>();
  private fell = 0;

  /** Has to be made while a component is set up, whose life it shares. */
  constructor(store: TableStore) {
    this.store = store;
    $effect(() => {
      const { shared, state, playing, round } = store;
      if (!shared || !state) return;
      const scene = { mine: state.mine, turn: playing && round ? round.seat : null };
      untrack(() => this.become(onScene(this.veil, scene)));
    });
    $effect(() => (store.shared ? watchForHiding(() => this.cover()) : undefined));
  }

  /** The person says to be there. */
  lift(): void {
    if (performance.now() - this.fell < MOMENT) return;
    this.become(onLift(this.veil));
  }

  /** Covers an open hand before the page is left or a picture of it is taken. */
  cover(): void {
    if (this.veil.kind === "open") flushSync(() => this.become(onHide(this.veil)));
  }

  private become(next: Veil): void {
    const before = this.veil;
    if (before === next) return;
    if (before.kind === "open") {
      this.seen.set(before.seat, this.store.state?.seq ?? 0);
      // Words that were meant for one person must not stay behind.
      toasts.splice(0);
      spoken.polite = "";
      spoken.urgent = "";
    }
    if (next.kind === "curtain") this.fell = performance.now();
    this.veil = next;
    this.store.look(visibleSeat(next, this.store.state?.mine ?? []) ?? undefined);
  }
}
