import { describe, expect, it, vi } from "vitest";
import {
  COVERED,
  onHide,
  onLift,
  onScene,
  type Veil,
  visibleSeat,
  watchForHiding,
} from "./device.ts";

const mine = [0, 2];
const play = (veil: Veil, ...turns: (number | null)[]): Veil =>
  turns.reduce<Veil>((now, turn) => onScene(now, { mine, turn }), veil);

describe("the curtain", () => {
  it("is down before anybody has said to be there", () => {
    const veil = play(COVERED, 0);
    expect(veil).toEqual({ kind: "curtain", seat: 0 });
    expect(visibleSeat(veil, mine)).toBeNull();
  });

  it("opens for the seat to move only", () => {
    const veil = onLift(play(COVERED, 0));
    expect(visibleSeat(veil, mine)).toBe(0);
    expect(onLift(COVERED)).toBe(COVERED);
  });

  it("falls when the turn goes to another person", () => {
    const veil = play(onLift(play(COVERED, 0)), 2);
    expect(veil).toEqual({ kind: "curtain", seat: 2 });
    expect(visibleSeat(veil, mine)).toBeNull();
  });

  it("covers the hand while a computer plays, and asks again after it", () => {
    const covered = play(onLift(play(COVERED, 0)), 1);
    expect(covered).toEqual(COVERED);
    expect(play(covered, 0)).toEqual({ kind: "curtain", seat: 0 });
  });

  it("stays open while the same turn goes on, or the same seat moves again", () => {
    const open = onLift(play(COVERED, 0));
    expect(play(open, 0, 0)).toBe(open);
  });

  it("falls when the page is hidden, and when the round is over", () => {
    const open = onLift(play(COVERED, 2));
    expect(onHide(open)).toEqual({ kind: "curtain", seat: 2 });
    expect(onHide(COVERED)).toBe(COVERED);
    expect(play(open, null)).toEqual(COVERED);
  });

  it("is not there for somebody who plays alone", () => {
    expect(visibleSeat(COVERED, [1])).toBe(1);
    expect(visibleSeat(COVERED, [])).toBeNull();
  });
});

describe("the watch for hiding", () => {
  it("covers when the page is hidden, left or loses the focus", () => {
    const window = new EventTarget();
    const page = Object.assign(new EventTarget(), {
      visibilityState: "visible",
      defaultView: window,
    });
    const cover = vi.fn();
    const end = watchForHiding(cover, page as unknown as Document);
    page.dispatchEvent(new Event("visibilitychange"));
    expect(cover).toHaveBeenCalledTimes(0);
    page.visibilityState = "hidden";
    page.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("pagehide"));
    window.dispatchEvent(new Event("blur"));
    expect(cover).toHaveBeenCalledTimes(3);
    end();
    window.dispatchEvent(new Event("pagehide"));
    expect(cover).toHaveBeenCalledTimes(3);
  });
});
