/**
 * The stage: where every tile of table and hand lies on the screen, what is dragged over what, and
 * what has the keyboard's focus.
 */
import { type Board, fitting, held, isOwn, mayUse, meldOf } from "../../board/board.ts";
import { fitHand, type HandFit } from "../../board/hand.ts";
import {
  type Fit,
  fitTable,
  type Laid,
  ROW,
  readingOrder,
  rowsOf,
  type Sized,
  type Spot,
} from "../../board/layout.ts";
import type { Meld } from "../../board/pieces.ts";
import { formatTile } from "../../board/tiles.ts";
import { DragController, type Picked } from "../../drag/controller.ts";
import type { Place, Zones } from "../../drag/targets.ts";
import { sound } from "../../sound/sound.ts";
import { lessMotion } from "../../state/settings.svelte.ts";
import { StageKeys } from "./keyboard.ts";
import { flyBack, type Moved, Mover, type Seen } from "./mover.ts";
import type { TableStore } from "./store.svelte.ts";

export const LEAST_TILE = 26;
/** The air around the melds, in pixels. */
export const PAD = 12;

/** How long after a tap its click may still come, in milliseconds. */
const LATE_CLICK = 3000;

interface Size {
  readonly width: number;
  readonly height: number;
}

const EMPTY: Size = { width: 0, height: 0 };

export class Stage {
  readonly store: TableStore;
  root: HTMLElement | undefined = $state.raw();
  table: HTMLElement | undefined = $state.raw();
  hand: HTMLElement | undefined = $state.raw();
  /** The size of the whole screen: only if it changes may the melds be laid anew. */
  screen: Size = $state.raw(EMPTY);
  tableSize: Size = $state.raw(EMPTY);
  handSize: Size = $state.raw(EMPTY);
  dragged: ReadonlySet<number> = $state.raw(new Set());
  over: Place | undefined = $state.raw();
  /** The stop of the keyboard's focus. */
  focus = $state("");

  /** Whether something is in hand that could begin a meld. */
  readonly openForNew: boolean = $derived.by(
    () => this.store.play.selected.length > 0 || this.dragged.size > 0,
  );

  /** The melds that what is dragged or picked would fit into. */
  readonly lit: ReadonlySet<number> = $derived.by(() => {
    const moving = this.dragged.size ? [...this.dragged] : this.store.play.selected;
    return this.board && moving.length ? fitting(this.board, moving) : new Set<number>();
  });

  readonly keys = new StageKeys(this);
  private controller: DragController | undefined;
  private readonly mover = new Mover();
  private memory: { layout: ReadonlyMap<number, Laid>; tile: number; room: string; round: number } =
    {
      layout: new Map(),
      tile: 0,
      room: "",
      round: -1,
    };
  private wish: Spot | undefined;
  /** When the last tap was, whose click is still to come; 0 for none. */
  private tapped = 0;
  private handled: unknown;

  constructor(store: TableStore) {
    this.store = store;
  }

  get board(): Board | undefined {
    return this.store.play.board;
  }

  readonly melds: readonly Meld[] = $derived.by(() => this.store.play.shown);

  /** Where the melds lie, and how large tiles are. */
  readonly fit: Fit = $derived.by(() => this.layOut(this.melds));
  readonly ordered: readonly Meld[] = $derived(readingOrder(this.melds, this.fit.layout));
  readonly handFit: HandFit = $derived(
    fitHand(Math.max(14, this.board?.hand.length ?? 0), {
      width: Math.max(200, this.handSize.width),
      height: Math.max(60, this.handSize.height),
      least: LEAST_TILE,
      most: this.handSize.width > 1400 ? 104 : this.handSize.width > 700 ? 66 : 54,
    }),
  );
  /** Whether the table has more rows than there is room for. */
  readonly scrolls = $derived(
    rowsOf(this.fit.layout) * ROW * this.fit.tile > this.tableSize.height + 4,
  );

  private layOut(melds: readonly Meld[]): Fit {
    const room = {
      width: Math.max(120, this.tableSize.width),
      height: Math.max(60, this.tableSize.height),
      least: LEAST_TILE,
      most: Math.max(
        32,
        Math.min(104, this.tableSize.width / 9, (this.screen.height * 0.7) / (5.4 * ROW)),
      ),
    };
    const name = `${this.screen.width}x${this.screen.height}`;
    const round = this.store.round?.number ?? 0;
    const fresh = name !== this.memory.room || round !== this.memory.round || !this.memory.tile;
    const sized: Sized[] = melds.map((meld) => ({
      id: meld.id,
      size: meld.cells.length,
      wish: this.memory.layout.has(meld.id) ? undefined : this.wish,
    }));
    const found = fitTable(sized, this.memory.layout, this.memory.tile, room, fresh);
    this.memory = { layout: found.layout, tile: found.tile, room: name, round };
    return found;
  }

  spot(meld: Meld): { x: number; y: number } {
    const spot = this.fit.layout.get(meld.id) ?? { row: 0, x: 0 };
    return { x: spot.x * this.fit.tile, y: spot.row * ROW * this.fit.tile };
  }

  handSpot(index: number): { x: number; y: number } {
    const { perRow, pitch, row } = this.handFit;
    return { x: (index % perRow) * pitch, y: Math.floor(index / perRow) * row };
  }

  // --- life -------------------------------------------------------------------

  /** Takes over the pointer on the root; returns how to let it go. */
  attach(root: HTMLElement): () => void {
    const controller = new DragController(root, {
      pick: (id) => this.pick(id),
      hold: (id) => this.hold(id),
      zones: () => this.zones(),
      element: (id) => this.element(id),
      began: (ids) => {
        this.dragged = new Set(ids);
        // Words at a meld would lie between the tile and its place.
        this.store.callouts = [];
        sound.pick();
      },
      over: (place) => {
        this.over = place;
      },
      drop: (ids, place, boxes) => this.drop(ids, place, boxes),
      cancelled: (ids, boxes) => {
        this.settle(ids, boxes);
        this.dragged = new Set();
        this.animate();
      },
      tap: (id, event) => {
        this.tapped = performance.now();
        this.tap(id, event.shiftKey || event.ctrlKey || event.metaKey);
      },
      tapPlace: (place) => this.tapPlace(place),
      scroll: (x, y) => this.scroll(x, y),
    });
    this.controller = controller;
    return () => controller.destroy();
  }

  /** The board has changed: a drag of what is no longer there ends, and the rest is measured anew. */
  boardChanged(): void {
    const dragging = this.controller?.dragging;
    const board = this.board;
    if (!dragging) return;
    const gone = dragging.some((id) => !board || (!isOwn(board, id) && !meldOf(board, id)));
    if (gone) this.controller?.cancel();
    else this.controller?.refresh();
  }

  element(id: number): HTMLElement | undefined {
    return this.root?.querySelector<HTMLElement>(`[data-piece="${id}"].tile`) ?? undefined;
  }

  private zones(): Zones {
    const table = this.table?.getBoundingClientRect() ?? new DOMRect();
    const hand = this.hand?.getBoundingClientRect() ?? new DOMRect();
    const { tile } = this.fit;
    const scroll = this.table?.scrollTop ?? 0;
    const moving = this.dragged;
    const board = this.board;
    return {
      tile,
      tray: this.root?.querySelector(".tray")?.getBoundingClientRect(),
      table: { left: table.left, top: table.top, width: table.width, height: table.height },
      hand: {
        left: hand.left,
        top: hand.top,
        width: hand.width,
        height: hand.height,
        pitch: this.handFit.pitch,
        row: this.handFit.row,
        perRow: this.handFit.perRow,
        count: board?.hand.length ?? 0,
        rightToLeft: false,
      },
      melds: this.melds
        .filter((meld) => !meld.cells.every((piece) => moving.has(piece.id)))
        .map((meld) => {
          const { x, y } = this.spot(meld);
          return {
            id: meld.id,
            cells: meld.cells.length,
            fits: this.lit.has(meld.id) || meld.cells.some((piece) => moving.has(piece.id)),
            left: table.left + PAD + x,
            top: table.top + PAD + y - scroll,
            width: meld.cells.length * tile,
            height: (tile * 4) / 3,
          };
        }),
    };
  }

  private scroll(x: number, y: number): boolean {
    const table = this.table;
    if (!table || !this.scrolls) return false;
    const box = table.getBoundingClientRect();
    if (x < box.left || x > box.right) return false;
    const edge = 44;
    const before = table.scrollTop;
    if (y < box.top + edge && y > box.top - edge) table.scrollTop -= 9;
    else if (y > box.bottom - edge && y < box.bottom) table.scrollTop += 9;
    return table.scrollTop !== before;
  }

  // --- the pointer ------------------------------------------------------------

  private pick(id: number): Picked | undefined {
    const play = this.store.play;
    const board = this.board;
    if (!board || this.store.seat === undefined) return undefined;
    if (play.selected.includes(id)) return { ids: play.selected };
    const meld = meldOf(board, id);
    if (meld && !mayUse(board, meld)) {
      play.toggle(id);
      return undefined;
    }
    play.clear();
    return { ids: [id] };
  }

  private hold(id: number): Picked | undefined {
    const play = this.store.play;
    const meld = this.board && meldOf(this.board, id);
    if (!meld || this.store.seat === undefined || !play.selectMeld(meld.id)) return undefined;
    navigator.vibrate?.(12);
    return { ids: play.selected };
  }

  private drop(ids: readonly number[], place: Place, boxes: ReadonlyMap<number, DOMRect>): void {
    this.settle(ids, boxes);
    this.dragged = new Set();
    const done = this.put(ids, place);
    if (!done) this.animate();
  }

  /** Puts pieces at a place of the screen; says whether the board changed. */
  private put(ids: readonly number[], place: Place): boolean {
    const play = this.store.play;
    const board = this.board;
    if (!board) return false;
    if (place.to === "hand") {
      const shown = new Set(held(board));
      const index = board.hand.slice(0, place.index).filter((piece) => shown.has(piece)).length;
      return play.move(ids, { to: "hand", index });
    }
    if (place.to === "new") {
      const { tile } = this.fit;
      const scroll = this.table?.scrollTop ?? 0;
      if (place.x !== undefined && place.y !== undefined) {
        this.wish = {
          row: Math.max(0, Math.floor((place.y - PAD + scroll) / (ROW * tile))),
          x: Math.max(0, (place.x - PAD) / tile - ids.length / 2),
        };
      }
      const done = play.move(ids, { to: "new" });
      // The layout was computed for the wish; the next new meld has its own.
      void this.fit;
      this.wish = undefined;
      return done;
    }
    return play.move(ids, place);
  }

  private settle(ids: readonly number[], boxes: ReadonlyMap<number, DOMRect>): void {
    for (const id of ids) {
      const box = boxes.get(id);
      if (box) this.mover.seen(id, { x: box.left, y: box.top, size: box.width });
    }
  }

  private tapPlace(place: Place | undefined): void {
    const play = this.store.play;
    if (!place || !play.selected.length) return;
    this.put(play.selected, place);
  }

  /**
   * A click that is no pointer's: of the keyboard, or of a screen reader. The one that follows a
   * tap may come late on a slow machine, and is not a second tap.
   */
  click(id: number, event: MouseEvent): void {
    // It may be another piece's: what was tapped may have gone on from under the finger.
    if (event.detail > 0 && this.tapped && performance.now() - this.tapped < LATE_CLICK) {
      this.tapped = 0;
      return;
    }
    this.tap(id, event.shiftKey || event.ctrlKey || event.metaKey);
  }

  private tap(id: number, more: boolean): void {
    if (this.store.seat === undefined) return;
    const play = this.store.play;
    this.focus = `p${id}`;
    const placed = play.tap(id, more);
    if (!placed && play.selected.includes(id)) sound.pick();
  }

  placeNew(): void {
    const play = this.store.play;
    if (play.selected.length) play.move(play.selected, { to: "new" });
  }

  // --- movement ---------------------------------------------------------------

  /** Moves every tile from where it was seen last to where it lies now. */
  animate(fresh = false): void {
    const board = this.board;
    if (!board || !this.table || !this.hand) {
      this.mover.forget();
      return;
    }
    const table = this.table.getBoundingClientRect();
    const hand = this.hand.getBoundingClientRect();
    const scroll = this.table.scrollTop;
    const now = new Map<number, Moved>();
    const add = (id: number, left: number, top: number, x: number, y: number, size: number) => {
      const element = this.element(id);
      if (element) now.set(id, { element, left, top, x, y, size });
    };
    for (const meld of this.melds) {
      const { x, y } = this.spot(meld);
      const size = this.fit.tile;
      for (const [cell, piece] of meld.cells.entries()) {
        const left = cell * size;
        add(piece.id, left, 0, table.left + PAD + x + left, table.top + PAD + y - scroll, size);
      }
    }
    const shown = new Set(held(board));
    for (const [index, piece] of board.hand.entries()) {
      if (!shown.has(piece)) continue;
      const { x, y } = this.handSpot(index);
      add(piece.id, x, y, hand.left + x, hand.top + y, this.handFit.tile);
    }
    const { events, pace } = this.store.shown;
    const first = events !== this.handled;
    this.handled = events;
    const still = fresh || lessMotion() || document.hidden;
    const coming = first ? this.coming(pace) : undefined;
    this.mover.move(
      now,
      {
        source: (id) => coming?.source(id),
        delay: (id) => coming?.delay(id) ?? 0,
        duration: coming?.duration ?? 230,
      },
      still,
    );
    if (first && !still) {
      this.backs(pace);
      this.celebrate();
    }
  }

  /** Where the tiles of the newest events come from, and when they set out. */
  private coming(pace: number) {
    const played = this.store.shown.events.find((event) => event.type === "played");
    const foreign = played && played.seat !== this.store.seat ? played : undefined;
    const order = [...this.store.play.lastPlay];
    const drawn = this.store.play.drawn;
    return {
      source: (id: number): Seen | undefined => {
        if (foreign && order.includes(id)) return this.corner(`[data-seat="${foreign.seat}"]`);
        if (drawn.has(id)) return this.corner("[data-stock]");
        return undefined;
      },
      delay: (id: number): number => {
        if (!foreign || pace === 0) return 0;
        const place = order.indexOf(id);
        return place < 0 ? 0 : (place + 0.6) * pace;
      },
      duration: foreign && pace ? Math.max(240, Math.min(420, pace * 1.1)) : 260,
    };
  }

  /** An own play is greeted a little: its tiles nod one after the other. */
  private celebrate(): void {
    const played = this.store.shown.events.find((event) => event.type === "played");
    if (!played || played.seat !== this.store.seat) return;
    const left = [...played.tiles];
    let delay = 0;
    for (const piece of this.melds.flatMap((meld) => meld.cells).reverse()) {
      const place = left.indexOf(formatTile(piece.tile));
      if (place < 0) continue;
      left.splice(place, 1);
      this.element(piece.id)?.firstElementChild?.animate(
        [{ translate: "0 0" }, { translate: "0 -14%" }, { translate: "0 0" }],
        { duration: 380, delay, easing: "ease-out" },
      );
      delay += 55;
    }
  }

  private backs(pace: number): void {
    const layer = this.root;
    const stock = this.root?.querySelector("[data-stock]")?.getBoundingClientRect();
    if (!layer || !stock || pace === 0) return;
    for (const event of this.store.shown.events) {
      if (event.type !== "drew" && event.type !== "penalised") continue;
      if (event.seat === this.store.seat) continue;
      const seat = layer.querySelector(`[data-seat="${event.seat}"]`)?.getBoundingClientRect();
      if (seat) flyBack(layer, stock, seat, 420);
    }
  }

  private corner(selector: string): Seen | undefined {
    const box = this.root?.querySelector(selector)?.getBoundingClientRect();
    if (!box) return undefined;
    return { x: box.left + box.width / 2 - 13, y: box.top + box.height / 2 - 17, size: 26 };
  }
}
