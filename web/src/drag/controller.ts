/**
 * One pointer, from press to release: tap, long press and drag for mouse, touch and pen.
 *
 * The controller holds the pointer on the root, so that a drag outlives whatever happens to the
 * element it began on. While something is dragged only transforms of its own ghosts change; all
 * geometry is read once, and again only when the owner says that it changed. A drag that ends in
 * any way but over a place changes nothing.
 */
import "./drag.css";
import { type Place, placeAt, type Zones } from "./targets.ts";

export interface Picked {
  readonly ids: readonly number[];
}

export interface DragOwner {
  /** What a press on this piece picks up; undefined if it cannot be dragged, after saying why. */
  pick(id: number): Picked | undefined;
  /** What a long press on this piece picks up; undefined to leave it a plain press. */
  hold(id: number): Picked | undefined;
  /** The geometry now. */
  zones(): Zones;
  /** A piece's element; undefined if it is not on the screen. */
  element(id: number): HTMLElement | undefined;
  began(ids: readonly number[]): void;
  /** Called when the place under the drag changes. */
  over(place: Place | undefined): void;
  /** The end over a place; the ghosts' last boxes are given for settling from there. */
  drop(ids: readonly number[], place: Place, boxes: ReadonlyMap<number, DOMRect>): void;
  /** The end without a place. */
  cancelled(ids: readonly number[], boxes: ReadonlyMap<number, DOMRect>): void;
  tap(id: number, event: PointerEvent): void;
  /** A tap on the surface itself, with the place it means. */
  tapPlace(place: Place | undefined, event: PointerEvent): void;
  /** Near the edge of a surface that scrolls: by how much. Says whether it scrolled. */
  scroll(x: number, y: number): boolean;
}

const DRIFT = { mouse: 4, pen: 8, touch: 10 } as const;
const HOLD = 420;
/** A finger covers what it drags, so that it is lifted above it. */
const LIFT = { mouse: 0, pen: 12, touch: 34 } as const;

interface Press {
  readonly pointer: number;
  readonly type: keyof typeof DRIFT;
  readonly id: number | undefined;
  /** Whether it began at the handle of a whole meld. */
  readonly whole: boolean;
  readonly x: number;
  readonly y: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

interface Ghost {
  readonly id: number;
  readonly node: HTMLElement;
  readonly dx: number;
  readonly dy: number;
  readonly width: number;
  readonly height: number;
}

interface Drag {
  readonly ids: readonly number[];
  readonly ghosts: Ghost[];
  readonly layer: HTMLElement;
  readonly lift: number;
  zones: Zones;
  x: number;
  y: number;
  place: Place | undefined;
  frame: number;
}

export class DragController {
  private readonly root: HTMLElement;
  private readonly owner: DragOwner;
  private press: Press | undefined;
  private drag: Drag | undefined;
  private readonly undoers: (() => void)[] = [];

  constructor(root: HTMLElement, owner: DragOwner) {
    this.root = root;
    this.owner = owner;
    this.on(root, "pointerdown", this.down);
    this.on(root, "pointermove", this.move);
    this.on(root, "pointerup", this.up);
    this.on(root, "pointercancel", this.lost);
    this.on(root, "lostpointercapture", this.lost);
    this.on(root, "contextmenu", this.menu);
    this.on(window, "blur", this.cancel);
    this.on(window, "resize", this.cancel);
    this.on(window, "orientationchange", this.cancel);
    this.on(window, "keydown", this.key);
    this.on(document, "visibilitychange", this.cancel);
  }

  /** Whether something is being dragged. */
  get dragging(): readonly number[] | undefined {
    return this.drag?.ids;
  }

  /** Says that melds or hand have moved under the drag. */
  refresh(): void {
    if (this.drag) {
      this.drag.zones = this.owner.zones();
      this.wake();
    }
  }

  /** Ends a drag without a change, as when its tiles are no longer there. */
  readonly cancel = (): void => {
    this.forget();
    this.finish(undefined);
  };

  destroy(): void {
    this.cancel();
    for (const undo of this.undoers) undo();
  }

  private on<E extends Event>(
    target: EventTarget,
    name: string,
    handler: (event: E) => void,
  ): void {
    const listener = handler as EventListener;
    target.addEventListener(name, listener);
    this.undoers.push(() => target.removeEventListener(name, listener));
  }

  private readonly down = (event: PointerEvent): void => {
    if (this.press || this.drag || !event.isPrimary || event.button !== 0) return;
    const element = event.target as Element;
    if (element.closest("[data-nodrag]")) return;
    const piece = element.closest<HTMLElement>("[data-piece]");
    const id = piece ? Number(piece.dataset.piece) : undefined;
    if (id === undefined && !element.closest("[data-surface]")) return;
    const type = event.pointerType in DRIFT ? (event.pointerType as keyof typeof DRIFT) : "mouse";
    const press: Press = {
      pointer: event.pointerId,
      type,
      id,
      whole: element.closest("[data-whole]") !== null,
      x: event.clientX,
      y: event.clientY,
      timer: undefined,
    };
    if (id !== undefined) {
      press.timer = setTimeout(() => this.held(press), HOLD);
      this.root.setPointerCapture(event.pointerId);
    }
    this.press = press;
  };

  private held(press: Press): void {
    if (this.press !== press || press.id === undefined || this.drag) return;
    const picked = this.owner.hold(press.id);
    if (picked) this.begin(press, picked, press.x, press.y);
  }

  private readonly move = (event: PointerEvent): void => {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    if (!this.drag) {
      const drift = Math.hypot(event.clientX - press.x, event.clientY - press.y);
      if (drift < DRIFT[press.type]) return;
      clearTimeout(press.timer);
      if (press.id === undefined) {
        // The surface itself is scrolled or nothing: not ours.
        this.forget();
        return;
      }
      const picked = press.whole ? this.owner.hold(press.id) : this.owner.pick(press.id);
      if (!picked) {
        this.forget();
        return;
      }
      this.begin(press, picked, event.clientX, event.clientY);
    }
    if (this.drag) {
      this.drag.x = event.clientX;
      this.drag.y = event.clientY;
      this.wake();
    }
  };

  private readonly up = (event: PointerEvent): void => {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    this.forget();
    if (this.drag) {
      this.drag.x = event.clientX;
      this.drag.y = event.clientY;
      this.draw();
      this.finish(this.drag.place);
    } else if (press.id !== undefined && press.whole) this.owner.hold(press.id);
    else if (press.id !== undefined) this.owner.tap(press.id, event);
    else {
      this.owner.tapPlace(placeAt(this.owner.zones(), event.clientX, event.clientY), event);
    }
  };

  private readonly lost = (event: PointerEvent): void => {
    if (this.press?.pointer !== event.pointerId) return;
    this.cancel();
  };

  private readonly menu = (event: Event): void => {
    if (this.press || this.drag) event.preventDefault();
  };

  private readonly key = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && this.drag) {
      event.stopPropagation();
      this.cancel();
    }
  };

  private begin(press: Press, picked: Picked, x: number, y: number): void {
    const grabbed = press.id;
    const home = grabbed === undefined ? undefined : this.owner.element(grabbed);
    if (!home) return;
    const layer = document.createElement("div");
    layer.className = "drag-layer";
    const box = home.getBoundingClientRect();
    const at = Math.max(0, picked.ids.indexOf(grabbed ?? -1));
    const ghosts = picked.ids.flatMap((id, index): Ghost[] => {
      const element = this.owner.element(id);
      const face = element?.firstElementChild;
      if (!element || !face) return [];
      const node = document.createElement("div");
      node.className = "drag-ghost";
      node.style.setProperty("--tile", `${box.width}px`);
      node.append(face.cloneNode(true));
      layer.append(node);
      return [
        {
          id,
          node,
          dx: box.left - press.x + (index - at) * box.width,
          dy: box.top - press.y,
          width: box.width,
          height: box.height,
        },
      ];
    });
    document.body.append(layer);
    this.owner.began(picked.ids);
    this.drag = {
      ids: picked.ids,
      ghosts,
      layer,
      lift: LIFT[press.type],
      zones: this.owner.zones(),
      x,
      y,
      place: undefined,
      frame: 0,
    };
    this.draw();
  }

  private wake(): void {
    const drag = this.drag;
    if (!drag || drag.frame) return;
    drag.frame = requestAnimationFrame(() => {
      drag.frame = 0;
      if (this.drag !== drag) return;
      this.draw();
      if (this.owner.scroll(drag.x, drag.y)) {
        drag.zones = this.owner.zones();
        this.wake();
      }
    });
  }

  private draw(): void {
    const drag = this.drag;
    if (!drag) return;
    for (const ghost of drag.ghosts) {
      const x = drag.x + ghost.dx;
      const y = drag.y + ghost.dy - drag.lift;
      ghost.node.style.transform = `translate3d(${x}px, ${y}px, 0) scale(1.06)`;
    }
    const place = placeAt(drag.zones, drag.x, drag.y - drag.lift * 0.8);
    if (!samePlace(place, drag.place)) {
      drag.place = place;
      this.owner.over(place);
    }
  }

  private finish(place: Place | undefined): void {
    const drag = this.drag;
    if (!drag) return;
    this.drag = undefined;
    cancelAnimationFrame(drag.frame);
    const boxes = new Map(
      drag.ghosts.map((ghost) => [
        ghost.id,
        new DOMRect(drag.x + ghost.dx, drag.y + ghost.dy - drag.lift, ghost.width, ghost.height),
      ]),
    );
    drag.layer.remove();
    this.owner.over(undefined);
    if (place) this.owner.drop(drag.ids, place, boxes);
    else this.owner.cancelled(drag.ids, boxes);
  }

  private forget(): void {
    const press = this.press;
    this.press = undefined;
    clearTimeout(press?.timer);
    if (press && this.root.hasPointerCapture(press.pointer)) {
      this.root.releasePointerCapture(press.pointer);
    }
  }
}

function samePlace(a: Place | undefined, b: Place | undefined): boolean {
  if (a?.to !== b?.to) return false;
  if (a?.to === "meld" && b?.to === "meld") return a.meld === b.meld && a.cell === b.cell;
  if (a?.to === "hand" && b?.to === "hand") return a.index === b.index;
  return true;
}
