/** Table and hand by keyboard: going about, picking, placing, and saying so. */
import { flushSync } from "svelte";
import { type Board, meldOf } from "../../board/board.ts";
import { directionOf, type Stop, step } from "../../board/focus.ts";
import { t } from "../../i18n/index.svelte.ts";
import { announce } from "../../state/messages.svelte.ts";
import type { Stage } from "./stage.svelte.ts";
import { tilesName } from "./words.ts";

export class StageKeys {
  private readonly stage: Stage;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Keys on table and hand; says whether the key was taken. */
  key(event: KeyboardEvent): boolean {
    const play = this.stage.store.play;
    const board = this.stage.board;
    const current = (event.target as Element).closest<HTMLElement>("[data-stop]")?.dataset.stop;
    const direction = directionOf(event.key);
    if (direction && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const next = step(this.stops(), current, direction);
      if (next) this.focusOn(next);
      return true;
    }
    if (!board || this.stage.store.seat === undefined) return false;
    const id = current?.startsWith("p") ? Number(current.slice(1)) : undefined;
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    switch (event.key) {
      case " ":
        if (id === undefined) return false;
        play.toggle(id);
        this.sayPicked();
        return true;
      case "Enter":
        if (id === undefined) return false;
        this.enter(board, id);
        return true;
      case "n":
      case "N":
        if (play.selected.length) this.keepingFocus(() => this.stage.placeNew());
        return true;
      case "m":
      case "M": {
        const meld = id === undefined ? undefined : meldOf(board, id);
        if (meld && play.selectMeld(meld.id)) this.sayPicked();
        return true;
      }
      case "s":
      case "S": {
        const meld = id === undefined ? undefined : meldOf(board, id);
        const cell = meld?.cells.findIndex((piece) => piece.id === id) ?? 0;
        if (meld) this.keepingFocus(() => play.split(meld.id, cell));
        return true;
      }
      case "Backspace":
      case "Delete":
        if (id !== undefined && meldOf(board, id)) this.keepingFocus(() => play.takeBack(id));
        return true;
      case "Escape":
        if (!play.selected.length) return false;
        play.clear();
        announce(t("board.put_down"));
        return true;
      default:
        return false;
    }
  }

  /** Places what is picked beside a tile of the table; otherwise picks the tile. */
  private enter(board: Board, id: number): void {
    const play = this.stage.store.play;
    const meld = meldOf(board, id);
    if (!meld && play.selected.length && play.selected.every((one) => meldOf(board, one))) {
      this.keepingFocus(() => play.move(play.selected, { to: "hand" }));
      return;
    }
    const before = play.selected;
    this.keepingFocus(() => play.tap(id));
    if (play.selected !== before && play.selected.length) this.sayPicked();
  }

  /** Does something that may take the focused tile away, and keeps the focus on the stage. */
  private keepingFocus(action: () => void): void {
    const moved = this.stage.store.play.selected[0];
    const before = this.stage.focus;
    action();
    this.stage.focus = before;
    // At once, since the next key may come before the next frame.
    flushSync();
    if (this.stage.root?.contains(document.activeElement)) return;
    const wanted =
      moved !== undefined && this.stage.element(moved) ? `p${moved}` : this.stage.focus;
    this.focusOn(this.stops().some((stop) => stop.id === wanted) ? wanted : this.stops()[0]?.id);
  }

  private sayPicked(): void {
    const board = this.stage.board;
    if (!board) return;
    const tiles = this.stage.store.play.selected.map((id) => {
      const own = board.hand.find((piece) => piece.id === id);
      return (own ?? meldOf(board, id)?.cells.find((piece) => piece.id === id))?.tile;
    });
    const known = tiles.filter((tile) => tile !== undefined);
    announce(known.length ? t("board.picked", { tiles: tilesName(known) }) : t("board.put_down"));
  }

  focusOn(stop: string | undefined): void {
    if (!stop) return;
    this.stage.focus = stop;
    this.stage.root
      ?.querySelector<HTMLElement>(`[data-stop="${stop}"]`)
      ?.focus({ preventScroll: false });
  }

  private stops(): Stop[] {
    const found: Stop[] = [];
    for (const element of this.stage.root?.querySelectorAll<HTMLElement>("[data-stop]") ?? []) {
      const box = element.getBoundingClientRect();
      if (!box.width) continue;
      found.push({
        id: element.dataset.stop ?? "",
        x: box.left + box.width / 2,
        y: box.top + box.height / 2,
        height: box.height,
      });
    }
    return found;
  }
}
