/**
 * A table as this browser sees it.
 *
 * The newest state is the server's (`latest`). What is shown (`state`) follows it step by step,
 * with time for the eye between the plays of others; it never lags far, and not at all when a
 * reader asks for no waiting.
 */
import { type Board, laid, meldOf, type Refusal } from "../../board/board.ts";
import type { Meld, Piece } from "../../board/pieces.ts";
import { formatTile } from "../../board/tiles.ts";
import { t } from "../../i18n/index.svelte.ts";
import { ApiError, newKey } from "../../net/api.ts";
import type {
  Draft,
  Event,
  Hinted,
  Phrase,
  Settings,
  TableState,
  Update,
  Welcome,
} from "../../net/protocol.ts";
import type { Connection } from "../../net/socket.ts";
import { Refused, TableLink, type Wish } from "../../net/table.ts";
import { sound } from "../../sound/sound.ts";
import { announce, toast } from "../../state/messages.svelte.ts";
import { keepSnapshot, lastSnapshot } from "../../state/snapshot.ts";
import { OwnDrafts } from "./drafts.ts";
import { Paced } from "./paced.ts";
import { Play } from "./play.svelte.ts";
import {
  type ChatLine,
  chatOf,
  isActionOf,
  type LogLine,
  linesOf,
  paceOf,
  soundOf,
  timeFor,
} from "./steps.ts";
import { eventText, faultText, meldName, phraseText } from "./words.ts";

/** Words at a place of the table; `meld` is where they belong, undefined for the table. */
export interface Callout {
  readonly meld: number | undefined;
  readonly text: string;
}

const BETWEEN_PRESSES = 500;

export class TableStore {
  readonly id: string;
  connection: Connection = $state("connecting");
  /** Why the table cannot be shown, by the code of closing. */
  gone: number | undefined = $state();
  /** The code to join with; undefined until the server has told of the table. */
  code: string | null | undefined = $state();
  user = $state("");
  settings: Settings | undefined = $state.raw();
  /** What is shown, and the newest that is known. */
  state: TableState | undefined = $state.raw();
  latest: TableState | undefined = $state.raw();
  log: readonly LogLine[] = $state.raw([]);
  chat: readonly ChatLine[] = $state.raw([]);
  unread = $state(0);
  watchers = $state(0);
  callouts: readonly Callout[] = $state.raw([]);
  hint: Hinted | undefined = $state.raw();
  busy = $state(false);
  /** Of several own seats the one that is shown from its own side; none behind the curtain. */
  private chosen: number | undefined = $state();
  /** The events that were shown last, for the movement that they cause. */
  shown: { readonly events: readonly Event[]; readonly pace: number } = $state.raw({
    events: [],
    pace: 0,
  });

  /** Whether this user holds several seats: people around one device. */
  readonly shared = $derived((this.state?.mine.length ?? 0) > 1);
  readonly seat = $derived(this.shared ? this.chosen : this.state?.mine[0]);
  readonly round = $derived(this.state?.match?.round ?? undefined);
  readonly playing = $derived(this.state?.status === "playing" && this.round?.over === false);
  readonly myTurn = $derived(
    this.playing &&
      this.seat !== undefined &&
      this.round?.seat === this.seat &&
      !this.state?.seats[this.seat].left,
  );
  readonly spectating = $derived(this.state !== undefined && this.seat === undefined);
  readonly deadline = $derived(this.state?.clock.deadline ?? undefined);

  readonly link: TableLink;
  readonly play: Play;
  private readonly drafts: OwnDrafts;
  private readonly updates = new Paced<Update>((message, waiting) => {
    const pace = paceOf(message.events, waiting);
    this.show(message, pace);
    return timeFor(message.events, pace, this.seat);
  });
  private pressed = Number.NEGATIVE_INFINITY;
  private readySent = "";
  private chatOpen = false;

  constructor(id: string) {
    this.id = id;
    this.link = new TableLink(id, {
      welcome: (message) => this.welcome(message),
      update: (message) => this.update(message),
      draft: (message) => this.drafted(message.draft),
      watchers: (message) => {
        this.watchers = message.count;
      },
      connection: (state) => {
        this.connection = state;
        if (state === "lost" && !this.state) this.showLast();
      },
      gone: (code) => {
        this.gone = code;
      },
    });
    this.drafts = new OwnDrafts(id, this.link);
    this.play = new Play({
      changed: (draft) => this.drafts.changed(draft),
      keep: (draft) => this.drafts.keep(draft),
      refused: (refusal, piece, meld) => this.refused(refusal, piece, meld),
      placed: (outcome) => {
        sound.place();
        this.callouts = [];
        if (outcome.freed.length) {
          const meld = meldOf(outcome.board, outcome.freed[0].id)?.id;
          this.callouts = [{ meld, text: t("board.joker_freed") }];
          announce(t("board.joker_freed"));
        } else if (outcome.apart.length) {
          const meld = meldOf(outcome.board, outcome.apart[0].id)?.id;
          this.callouts = [{ meld, text: t("board.lies_apart") }];
          announce(t("board.lies_apart"));
        } else if (outcome.split) announce(t("board.split"));
      },
    });
  }

  open(): void {
    this.link.open();
    addEventListener("pagehide", this.keepLast);
    document.addEventListener("visibilitychange", this.keepLast);
  }

  close(): void {
    removeEventListener("pagehide", this.keepLast);
    document.removeEventListener("visibilitychange", this.keepLast);
    this.keepLast();
    this.link.close();
    this.play.stop();
  }

  // --- what comes -------------------------------------------------------------

  private welcome(message: Welcome): void {
    const first = this.code === undefined;
    this.code = message.code;
    this.user = this.drafts.user = message.user;
    this.settings = message.settings;
    this.watchers = message.watchers;
    const before = this.state?.seq;
    const later = message.history.filter((step) => before !== undefined && step.seq > before);
    const missed = first ? message.history : later;
    this.updates.clear();
    this.latest = message.state;
    this.state = message.state;
    const events = later.flatMap((step) => step.events);
    this.shown = { events, pace: 0 };
    this.play.follow(message.state, events, this.seat);
    this.allowTable();
    const naming = this.naming();
    const lines = missed.flatMap((step) => linesOf(step, naming));
    this.log = first ? lines : [...this.log, ...lines];
    const known = new Set(this.chat.map((line) => line.seq));
    const said = message.chat.filter((step) => !known.has(step.seq)).flatMap(chatOf);
    if (!first) this.heard(said);
    this.chat = [...this.chat, ...said];
    if (before === undefined) this.recall(message.drafts);
    for (const draft of message.drafts) this.drafted(draft);
    this.beReady();
  }

  private update(message: Update): void {
    this.latest = message.state;
    if (message.settings) this.settings = message.settings;
    // What one does oneself is seen at once, however long the eye still has for others' play.
    if (message.events.some((event) => isActionOf(event, this.seat))) this.updates.hurry();
    this.updates.push(message);
  }

  private show(message: Update, pace: number): void {
    const before = this.state;
    this.state = message.state;
    this.shown = { events: message.events, pace };
    this.play.follow(message.state, message.events, this.seat);
    this.allowTable();
    const naming = this.naming();
    const lines = linesOf(message, naming);
    if (lines.length) this.log = [...this.log, ...lines];
    const said = chatOf(message);
    if (said.length) {
      this.chat = [...this.chat, ...said];
      this.heard(said);
    }
    if (message.events.some((event) => event.type === "turn_began" || event.type === "played")) {
      this.callouts = [];
      this.hint = undefined;
    }
    for (const line of lines) announce(line.text);
    soundOf(message.events, this.seat, pace);
    this.react(message.events, before);
    this.beReady();
  }

  private react(events: readonly Event[], before: TableState | undefined): void {
    for (const event of events) {
      if (event.type === "turn_began" && event.seat === this.seat) {
        announce(t("turn.yours"), true);
      }
      if (event.type === "penalised" && event.seat === this.seat) {
        const why = event.problems.map((problem) => problem.message).join(" ");
        toast(`${t("log.penalised_mine", { count: event.count })} ${why}`, "bad", 9000);
      }
      if (event.type === "drew" && event.seat === this.seat && event.cause === "time_out") {
        toast(t("turn.late"), "bad");
      }
      if (event.type === "away" && before?.mine.includes(event.seat) !== true) {
        toast(eventText(event, this.naming()) ?? "");
      }
    }
  }

  private drafted(draft: Draft): void {
    if (this.state?.mine.includes(draft.seat)) {
      this.drafts.heard(draft);
      if (draft.seat === this.seat) this.play.restore(draft);
    } else this.play.watch(draft);
  }

  /** While the server is away a page that is loaded anew begins with what was shown last. */
  private showLast(): void {
    const last = lastSnapshot(this.id);
    if (!last) return;
    this.user = this.drafts.user = last.user;
    this.settings = last.settings;
    this.latest = last.state;
    this.state = last.state;
    this.play.follow(last.state, [], this.seat);
    this.allowTable();
    // What was shown last may not have arrived either, and is sent again.
    this.recall([]);
    for (const draft of last.drafts) this.drafted(draft);
  }

  private readonly keepLast = (event?: globalThis.Event): void => {
    if (event?.type === "visibilitychange" && document.visibilityState !== "hidden") return;
    const { settings, latest: state, user } = this;
    const playing = settings && state?.status === "playing" && state.match?.round;
    const drafts = this.drafts.all;
    keepSnapshot(playing ? { table: this.id, user, settings, state, drafts } : undefined);
  };

  /** It comes first: whatever is taken up is sent anew, and so counts on. */
  private recall(known: readonly Draft[]): void {
    const state = this.state;
    for (const draft of state ? this.drafts.recall(state, known) : []) {
      this.drafted(draft);
      // Behind the curtain it is not shown, but counts when the time runs out.
      const now = draft.turn === this.round?.turn;
      if (now && draft.seat !== this.seat) void this.drafts.keep(draft);
    }
  }

  private allowTable(): void {
    if (this.settings?.rules.opening_table_moves) this.play.allowTable(true);
  }

  private naming() {
    // Around one device nobody is "you": what one drew must not stand there for the next.
    return { seats: this.state?.seats ?? [], me: this.shared ? undefined : this.seat };
  }

  // --- several own seats ------------------------------------------------------

  /** Shows the table from one of several own seats, or from none; each finds its arrangement. */
  look(seat: number | undefined): void {
    if (seat === this.chosen || !this.state) return;
    // What was arranged last may not have been sent yet.
    if (this.chosen !== undefined) void this.play.check();
    this.chosen = seat;
    this.callouts = [];
    this.endHint();
    this.play.follow(this.state, [], seat);
    this.allowTable();
    const draft = seat === undefined ? undefined : this.drafts.of(seat);
    if (draft) this.play.restore(draft);
  }

  // --- what the player does ---------------------------------------------------

  /** Ends the turn with what lies on the table, if the rules take it; says why if not. */
  async done(): Promise<void> {
    if (!this.press()) return;
    const board = this.play.board;
    const seat = this.seat;
    if (!board || seat === undefined) return;
    if (!this.myTurn) {
      toast(t("turn.not_yours"), "bad");
      return;
    }
    if (laid(board).length === 0) {
      toast(t("turn.place_first"), "bad");
      return;
    }
    this.busy = true;
    try {
      const checked = await this.play.settled();
      if (this.play.board !== board) return;
      if (checked && !checked.verdict.legal) {
        this.explain();
        return;
      }
      const melds = board.melds.map((meld) => ({
        kind: meld.kind,
        tiles: meld.cells.map((piece) => formatPiece(piece)),
      }));
      await this.link.command({ type: "play", seat, melds });
    } catch (error) {
      this.complain(error);
    } finally {
      this.busy = false;
    }
  }

  /** Shows every reason why the turn cannot end like this, each at its place. */
  explain(): void {
    const checked = this.play.checked;
    if (!checked) return;
    sound.wrong();
    this.callouts = checked.verdict.problems.map((problem) => ({
      meld: this.placeOf(problem.code, problem.place),
      text: problem.message,
    }));
    announce(checked.verdict.problems.map((problem) => problem.message).join(" "), true);
  }

  /** The meld that a problem speaks of. */
  placeOf(code: string, place: number | null): number | undefined {
    const board: Board | undefined = this.play.board;
    if (place === null || !board) return undefined;
    const old = code.startsWith("joker.") || code === "turn.table_before_opening";
    const meld = (old ? board.base : (this.play.checked?.melds ?? []))[place];
    if (!meld) return undefined;
    const now = board.melds.find((one) => one.id === meld.id);
    return (
      now?.id ?? board.melds.find((one) => one.cells.some((cell) => meld.cells.includes(cell)))?.id
    );
  }

  /** Draws, or passes when there is nothing to draw; the caller has asked where that is needed. */
  async draw(): Promise<void> {
    const seat = this.seat;
    if (!this.press() || seat === undefined) return;
    if (!this.myTurn) {
      toast(t("turn.not_yours"), "bad");
      return;
    }
    const type = this.latest?.match?.round?.stock === 0 ? "pass" : "draw";
    await this.send({ type, seat });
  }

  async askHint(what: "tiles" | "play"): Promise<void> {
    const seat = this.seat;
    if (seat === undefined || this.busy) return;
    this.busy = true;
    try {
      const answer = await this.link.command({ type: "hint", seat, what });
      if (answer.type !== "hint") return;
      this.hint = answer;
      if (what === "tiles") this.showPlayable(answer);
    } catch (error) {
      this.complain(error);
    } finally {
      this.busy = false;
    }
  }

  private showPlayable(hint: Hinted): void {
    const left = hint.playable.filter((one) => one.playable).map((one) => one.tile);
    const found = new Set<number>();
    for (const piece of this.play.board?.hand ?? []) {
      const place = left.indexOf(formatPiece(piece));
      if (place < 0) continue;
      left.splice(place, 1);
      found.add(piece.id);
    }
    this.play.playable = found;
    announce(found.size ? t("hint.tiles", { count: found.size }) : t("hint.none"));
  }

  endHint(): void {
    this.hint = undefined;
    this.play.playable = undefined;
  }

  say(text: string): void {
    if (text.trim()) void this.send({ type: "say", text: text.trim() });
  }

  sayPhrase(phrase: Phrase): void {
    void this.send({ type: "say", phrase });
  }

  readChat(open: boolean): void {
    this.chatOpen = open;
    if (open) this.unread = 0;
  }

  /** Sends a command and says what the server says if it refuses. */
  async send(wish: Wish): Promise<boolean> {
    try {
      await this.link.command(wish);
      return true;
    } catch (error) {
      this.complain(error);
      return false;
    }
  }

  /** Is ready for the next round: at once before the first, later when the player says so. */
  beReady(wanted = false): void {
    const state = this.latest;
    const match = state?.match;
    if (!state || !match || state.clock.what !== "round") return;
    if (match.results.length > 0 && !wanted) return;
    for (const seat of state.mine) {
      const key = `${match.next_round}:${seat}:${match.commitment}`;
      if (state.seats[seat].ready || this.readySent === key) continue;
      this.readySent = key;
      void this.send({ type: "be_ready", seat, seed: newKey() });
    }
  }

  private heard(lines: readonly ChatLine[]): void {
    const others = lines.filter((line) => line.said.user !== this.user);
    if (!others.length) return;
    if (!this.chatOpen) this.unread += others.length;
    sound.chat();
    for (const { said } of others)
      announce(`${said.name}: ${said.text || phraseText(said.phrase)}`);
  }

  /** Whether a press that ends a turn counts: a second one within a moment does not. */
  private press(): boolean {
    const now = performance.now();
    if (this.busy || now - this.pressed < BETWEEN_PRESSES) return false;
    this.pressed = now;
    return true;
  }

  private refused(refusal: Refusal, piece: Piece | undefined, meld: Meld | undefined): void {
    sound.wrong();
    const need = this.settings?.rules.opening_minimum ?? 30;
    const text = faultText(refusal, {
      need,
      meld: meld ? meldName({ kind: meld.kind, cells: meld.cells.map((one) => one.tile) }) : "",
    });
    const where = meld?.id ?? (piece && this.play.board && meldOf(this.play.board, piece.id)?.id);
    this.callouts = [{ meld: where, text }];
    announce(text, true);
  }

  private complain(error: unknown): void {
    if (error instanceof Refused && error.verdict) {
      sound.wrong();
      this.callouts = error.verdict.problems.map((problem) => ({
        meld: this.placeOf(problem.code, problem.place),
        text: problem.message,
      }));
      announce(error.message, true);
      return;
    }
    if (error instanceof ApiError) {
      if (error.code === "net.closed") return;
      toast(error.sentence || t("net.failed"), "bad");
      return;
    }
    throw error;
  }
}

const formatPiece = (piece: Piece): string => formatTile(piece.tile);
