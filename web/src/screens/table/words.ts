/** Tiles, melds and happenings in the reader's language. */
import { analyse, type PlainMeld } from "../../board/melds.ts";
import { describePlay, type PlayPart } from "../../board/speech.ts";
import { COLOURS, colourOf, isJoker, numberOf, parseTile, type Tile } from "../../board/tiles.ts";
import { listOf, maybe, type TextKey, t } from "../../i18n/index.svelte.ts";
import type { Event, Phrase, SeatState } from "../../net/protocol.ts";

const COLOUR_KEYS: Record<(typeof COLOURS)[number], TextKey> = {
  red: "tile.red",
  yellow: "tile.yellow",
  black: "tile.black",
  blue: "tile.blue",
};

export const colourName = (colour: number): string => t(COLOUR_KEYS[COLOURS[colour]]);

export function tileName(tile: Tile): string {
  if (isJoker(tile)) return t("tile.joker");
  return t("tile.name", { colour: colourName(colourOf(tile)), number: numberOf(tile) });
}

export const tilesName = (tiles: readonly Tile[]): string => listOf(tiles.map(tileName));

export function meldName({ kind, cells }: PlainMeld): string {
  const { faults, start } = analyse(kind, cells);
  const short = faults.every((fault) => fault.code === "meld.too_short");
  const real = cells.find((tile) => !isJoker(tile));
  if (!short || real === undefined || cells.length < 2) return tilesName(cells);
  if (kind === "run") {
    const colour = colourName(colourOf(real));
    return t("meld.run", { colour, from: start, to: start + cells.length - 1 });
  }
  const colours = cells.map((tile) =>
    isJoker(tile) ? t("tile.joker") : colourName(colourOf(tile)),
  );
  return t("meld.set", { number: start, colours: listOf(colours) });
}

/** What a joker stands for, in words. */
export const roleName = (role: readonly Tile[]): string => listOf(role.map(tileName), true);

/** The sentence for a fault of a meld or a refusal that was found here. */
export const faultText = (code: string, parameters: Record<string, string | number> = {}): string =>
  maybe(`fault.${code}`, parameters) ?? t("fault.other");

export const plainMeld = (meld: { kind: "run" | "set"; tiles: readonly string[] }): PlainMeld => ({
  kind: meld.kind,
  cells: meld.tiles.map(parseTile),
});

/** The name of a seat, as the log and the announcements say it. */
export function seatName(seats: readonly SeatState[], seat: number): string {
  return seats[seat]?.name || t("seat.nobody", { number: seat + 1 });
}

interface Naming {
  readonly seats: readonly SeatState[];
  /** The seat that the reader plays; it is spoken to as "you". */
  readonly me: number | undefined;
}

/** Chooses between the text about oneself and that about another. */
function about(
  naming: Naming,
  seat: number,
  mine: TextKey,
  other: TextKey,
  parameters: Record<string, string | number> = {},
): string {
  if (seat === naming.me) return t(mine, parameters);
  return t(other, { name: seatName(naming.seats, seat), ...parameters });
}

/** What happened, in a sentence; undefined for what needs no words. */
export function eventText(event: Event, naming: Naming): string | undefined {
  switch (event.type) {
    case "drew_for_start": {
      const draws = event.draws.map(({ seat, tile }) =>
        t("log.start_draw_one", {
          name: seat === naming.me ? t("seat.you") : seatName(naming.seats, seat),
          tile: tileName(parseTile(tile)),
        }),
      );
      return t("log.start_draw", { draws: listOf(draws) });
    }
    case "round_started":
      return about(naming, event.first, "log.round_mine", "log.round", { round: event.number });
    case "played": {
      const parts = describePlay(
        event.tiles.map(parseTile),
        event.before.map(plainMeld),
        event.after.map(plainMeld),
      );
      const what = listOf(parts.map((part) => playText(part)));
      if (event.opening !== null) {
        const points = event.opening;
        return about(naming, event.seat, "log.opened_mine", "log.opened", { what, points });
      }
      if (parts.every((part) => part.kind === "new")) {
        return about(naming, event.seat, "log.laid_mine", "log.laid", { what });
      }
      return about(naming, event.seat, "log.played_mine", "log.played", { what });
    }
    case "drew": {
      const late = event.cause === "time_out";
      if (event.tiles.length && event.seat === naming.me) {
        const tiles = tilesName(event.tiles.map(parseTile));
        return t(late ? "log.late_draw_mine" : "log.drew_tile_mine", { tiles });
      }
      if (late) return about(naming, event.seat, "log.late_mine", "log.late");
      return about(naming, event.seat, "log.drew_mine", "log.drew", { count: event.count });
    }
    case "passed":
      return about(naming, event.seat, "log.passed_mine", "log.passed");
    case "penalised":
      return about(naming, event.seat, "log.penalised_mine", "log.penalised", {
        count: event.count,
      });
    case "skipped":
      return about(naming, event.seat, "log.skipped_mine", "log.skipped");
    case "stock_emptied":
      return t("log.stock_emptied");
    case "redeal_asked":
      return about(naming, event.seat, "log.redeal_mine", "log.redeal");
    case "round_ended":
      if (event.result.end === "won") {
        return about(naming, event.result.winner, "log.won_mine", "log.won");
      }
      return about(naming, event.result.winner, "log.blocked_mine", "log.blocked");
    case "match_ended":
      return t("log.match_ended", {
        names: listOf(event.winners.map((seat) => seatName(naming.seats, seat))),
      });
    case "away":
      return about(naming, event.seat, "log.away_mine", "log.away");
    case "back":
    case "seat_returned":
      return about(naming, event.seat, "log.back_mine", "log.back");
    case "seat_left":
      return about(naming, event.seat, "log.left_mine", "log.left");
    case "seat_taken_over":
      return about(naming, event.seat, "log.stand_in_mine", "log.stand_in");
    case "pause_wanted":
      if (!event.want) return undefined;
      return about(naming, event.seat, "log.pause_wanted_mine", "log.pause_wanted");
    case "paused":
      return t("log.paused");
    case "resumed":
      return t("log.resumed");
    default:
      return undefined;
  }
}

function playText(part: PlayPart): string {
  switch (part.kind) {
    case "new":
      return meldName(part.meld);
    case "added":
      return t("play.added", { tiles: tilesName(part.tiles), meld: meldName(part.meld) });
    case "rearranged":
      return t("play.rearranged", { tiles: tilesName(part.tiles), count: part.melds });
  }
}

const PHRASE_KEYS: Record<Phrase, TextKey> = {
  hello: "phrase.hello",
  good_luck: "phrase.good_luck",
  well_played: "phrase.well_played",
  thanks: "phrase.thanks",
  sorry: "phrase.sorry",
  one_moment: "phrase.one_moment",
  your_turn: "phrase.your_turn",
  so_close: "phrase.so_close",
  good_game: "phrase.good_game",
  again: "phrase.again",
  goodbye: "phrase.goodbye",
};

/** A quick phrase of the chat, in the reader's language whoever said it. */
export const phraseText = (phrase: Phrase | null): string => (phrase ? t(PHRASE_KEYS[phrase]) : "");
