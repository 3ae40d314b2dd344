/**
 * The curtain between people who play around one device.
 *
 * One user holds several seats and may see all their hands; which hand is on the screen is
 * decided here. A hand is open only to the person who has said to be there, and no longer than
 * until the turn goes on, the page is hidden, or the page is left. Nothing of this is kept, so
 * that a reload begins behind the curtain.
 */

export type Veil =
  /** No hand is shown: a computer plays, or nobody. The table can be seen. */
  | { readonly kind: "covered" }
  /** The device is to be given to the person at a seat; nothing else is shown. */
  | { readonly kind: "curtain"; readonly seat: number }
  /** The person at this seat looks at the hand. */
  | { readonly kind: "open"; readonly seat: number };

/** What the veil depends on. */
export interface Scene {
  /** The seats that this user holds. */
  readonly mine: readonly number[];
  /** Whose turn it is; null between rounds. */
  readonly turn: number | null;
}

export const COVERED: Veil = { kind: "covered" };

/** Whether several people share the device at all. */
export const isShared = (mine: readonly number[]): boolean => mine.length > 1;

/** The veil after the table went on. */
export function onScene(veil: Veil, { mine, turn }: Scene): Veil {
  if (turn === null || !mine.includes(turn)) return veil.kind === "covered" ? veil : COVERED;
  if (veil.kind !== "covered" && veil.seat === turn) return veil;
  return { kind: "curtain", seat: turn };
}

/** The veil when the page is hidden, left, or handed on: an open hand is covered at once. */
export function onHide(veil: Veil): Veil {
  return veil.kind === "open" ? { kind: "curtain", seat: veil.seat } : veil;
}

/** The person at the seat says to be there. */
export function onLift(veil: Veil): Veil {
  return veil.kind === "curtain" ? { kind: "open", seat: veil.seat } : veil;
}

/** The seat whose hand may be in the page now; null for none. */
export function visibleSeat(veil: Veil, mine: readonly number[]): number | null {
  if (!isShared(mine)) return mine[0] ?? null;
  return veil.kind === "open" ? veil.seat : null;
}

/**
 * Calls when an open hand must be covered. The call comes before the system takes its picture
 * for the task switcher, and has to change the page before it returns.
 *
 * @returns ends the watch.
 */
export function watchForHiding(cover: () => void, page: Document = document): () => void {
  const window = page.defaultView;
  const whenHidden = () => {
    if (page.visibilityState === "hidden") cover();
  };
  page.addEventListener("visibilitychange", whenHidden);
  // A page in the cache of back and forward comes back as it was left.
  window?.addEventListener("pagehide", cover);
  window?.addEventListener("blur", cover);
  return () => {
    page.removeEventListener("visibilitychange", whenHidden);
    window?.removeEventListener("pagehide", cover);
    window?.removeEventListener("blur", cover);
  };
}
