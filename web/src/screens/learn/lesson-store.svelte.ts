/** A table that no server keeps: the lessons' position, judged here. */

import { t } from "../../i18n/index.svelte.ts";
import type { Event } from "../../net/protocol.ts";
import { sound } from "../../sound/sound.ts";
import { announce } from "../../state/messages.svelte.ts";
import { TableStore } from "../table/store.svelte.ts";
import { isDone, LESSONS, type Lesson, lackOf, lessonSettings, stateOf } from "./lessons.ts";

const LACKS = {
  nothing: "learn.lack.nothing",
  unfinished: "learn.lack.unfinished",
  opening: "learn.lack.opening",
  joker: "learn.lack.joker",
  more: "learn.lack.more",
} as const;

export class LessonStore extends TableStore {
  lesson: Lesson = $state.raw(LESSONS[0]);
  finished = $state(false);
  private readonly names: [string, string];

  constructor(me: string, other: string, theme: string) {
    super("lesson");
    this.names = [me, other];
    this.connection = "open";
    this.settings = lessonSettings(theme);
  }

  begin(index: number): void {
    this.lesson = LESSONS[index];
    this.finished = false;
    this.callouts = [];
    const state = stateOf(this.lesson, index + 1, ...this.names);
    this.state = state;
    this.latest = state;
    this.play.follow(state, [], 0);
  }

  /** Lights up Done as the server's verdict would. */
  judge(): void {
    const board = this.play.board;
    if (!board || this.play.checked || !isDone(this.lesson, board)) return;
    this.play.checked = {
      melds: board.melds,
      verdict: {
        legal: true,
        played: [],
        opening: null,
        opening_need: null,
        missing: [],
        groups: [],
        problems: [],
        jokers: [],
      },
    };
  }

  override async done(): Promise<void> {
    const board = this.play.board;
    if (!board || this.finished) return;
    if (this.lesson.draw !== undefined) {
      this.tell(t("learn.lack.draw"));
      return;
    }
    const lack = lackOf(this.lesson, board);
    if (lack) {
      sound.wrong();
      this.tell(t(LACKS[lack]));
      return;
    }
    sound.done();
    this.finish();
  }

  override async draw(): Promise<void> {
    const state = this.state;
    if (this.finished || !state?.match) return;
    const drawn = this.lesson.draw;
    if (drawn === undefined) {
      this.tell(t("learn.lack.no_draw"));
      return;
    }
    sound.draw();
    const hands = [{ seat: 0, tiles: [...this.lesson.hand, drawn], may_redeal: false }];
    const round = state.match.round && { ...state.match.round, seat: 1, turn: 2, stock: 51 };
    const next = { ...state, match: { ...state.match, hands, round } };
    const events: Event[] = [
      { type: "drew", seat: 0, tiles: [drawn], count: 1, stock: 51, cause: "choice" },
    ];
    this.state = next;
    this.latest = next;
    this.shown = { events, pace: 0 };
    this.play.follow(next, events, 0);
    this.finish();
  }

  override async askHint(): Promise<void> {}

  private finish(): void {
    this.callouts = [];
    this.finished = true;
  }

  private tell(text: string): void {
    this.callouts = [{ meld: undefined, text }];
    announce(text, true);
  }
}
