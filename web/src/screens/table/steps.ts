/** Steps of the server for eye and ear: how long they take, how they sound, what they say. */
import type { Event, Said, Step } from "../../net/protocol.ts";
import { sound } from "../../sound/sound.ts";
import { lessMotion, settings } from "../../state/settings.svelte.ts";
import { eventText } from "./words.ts";

export interface LogLine {
  readonly seq: number;
  readonly type: Event["type"];
  readonly seat: number | undefined;
  readonly text: string;
}

export interface ChatLine {
  readonly seq: number;
  readonly at: number;
  readonly said: Said;
}

/** Milliseconds for each tile of another's play. */
const PER_TILE = { slow: 620, normal: 330, fast: 150, instant: 0 } as const;
/** What is shown never lags further behind than this. */
const MOST_LAG = 3200;

/** Whether a seat has acted, or the clock has for it. */
export const isActionOf = (event: Event, seat: number | undefined): boolean =>
  (event.type === "played" ||
    event.type === "drew" ||
    event.type === "passed" ||
    event.type === "penalised") &&
  event.seat === seat;

/** Milliseconds for each tile of these events, while so many steps wait behind them. */
export function paceOf(events: readonly Event[], waiting: number): number {
  if (document.hidden || lessMotion()) return 0;
  const tiles = events.reduce(
    (sum, event) => sum + (event.type === "played" ? event.tiles.length : 0),
    0,
  );
  const wished = PER_TILE[settings.speed];
  if (!tiles) return wished;
  return Math.min(wished, MOST_LAG / tiles / (1 + waiting));
}

/** How long the eye has for these events before the next; one's own take no time. */
export function timeFor(events: readonly Event[], pace: number, me: number | undefined): number {
  if (pace === 0) return 0;
  let time = 0;
  for (const event of events) {
    if ("seat" in event && event.seat === me) continue;
    if (event.type === "played") time += pace * (event.tiles.length + 1);
    else if (event.type === "drew" || event.type === "penalised") time += Math.min(pace, 420);
  }
  return Math.min(time, MOST_LAG);
}

export function soundOf(events: readonly Event[], me: number | undefined, pace: number): void {
  for (const event of events) {
    if (event.type === "played") {
      if (event.seat === me) sound.done();
      else for (let tile = 0; tile < event.tiles.length; tile += 1) sound.place(tile * pace);
    } else if (event.type === "drew") sound.draw();
    else if (event.type === "penalised") sound.wrong();
    else if (event.type === "turn_began" && event.seat === me) sound.turn();
    else if (event.type === "round_ended") {
      if (event.result.winner === me) sound.win();
      else sound.end();
    }
  }
}

export function linesOf(step: Step, naming: Parameters<typeof eventText>[1]): LogLine[] {
  return step.events.flatMap((event) => {
    // Whoever comes to the table for the first time has not been away.
    if (event.type === "back" && event.seat === naming.me) return [];
    const text = eventText(event, naming);
    if (!text) return [];
    const seat = "seat" in event && typeof event.seat === "number" ? event.seat : undefined;
    return [{ seq: step.seq, type: event.type, seat, text }];
  });
}

export const chatOf = (step: Step): ChatLine[] =>
  step.events.flatMap((event) =>
    event.type === "said" ? [{ seq: step.seq, at: step.at, said: event }] : [],
  );
