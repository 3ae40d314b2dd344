/** The stream of one table: commands with answers, updates in order without a gap. */
import { ApiError, newKey } from "./api.ts";
import { ServerClock } from "./clock.ts";
import {
  CLOSE_NO_SESSION,
  CLOSE_NO_TABLE,
  CLOSE_REFUSED,
  CLOSE_VERSION,
  type ClientMessage,
  type Command,
  type Drafted,
  type Hinted,
  type Reply,
  type ServerMessage,
  SUBPROTOCOL,
  type Update,
  VERSION,
  type Verdict,
  type Verdicted,
  type Watchers,
  type Welcome,
} from "./protocol.ts";
import { type Connection, HealingSocket } from "./socket.ts";

export type Answer = Reply | Verdicted | Hinted;

/** A command without what the link adds. */
export type Wish<One extends Command = Command> = One extends Command
  ? Omit<One, "id" | "seen">
  : never;

/** A refused command; `verdict` says why a proposed table is illegal. */
export class Refused extends ApiError {
  readonly verdict: Verdict | null;

  constructor(
    code: string,
    fields: Record<string, unknown>,
    message: string,
    verdict: Verdict | null,
  ) {
    super(code, fields, 409, message);
    this.verdict = verdict;
  }
}

export interface TableEvents {
  welcome(message: Welcome): void;
  update(message: Update): void;
  draft(message: Drafted): void;
  watchers(message: Watchers): void;
  connection(state: Connection): void;
  /** The connection is closed for good, with the code of closing. */
  gone(code: number): void;
}

interface Pending {
  readonly command: Command;
  readonly done: (answer: Answer) => void;
  readonly failed: (error: ApiError) => void;
}

export class TableLink {
  readonly clock = new ServerClock();
  /** The number of the newest update. */
  seen: number | null = null;
  private readonly events: TableEvents;
  private readonly socket: HealingSocket<ServerMessage, ClientMessage>;
  private readonly pending = new Map<string, Pending>();
  private readonly pings = new Map<number, number>();
  private pingCount = 0;
  private pinger: ReturnType<typeof setInterval> | undefined;

  constructor(table: string, events: TableEvents) {
    this.events = events;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const path = `/api/v1/tables/${encodeURIComponent(table)}/ws`;
    this.socket = new HealingSocket<ServerMessage, ClientMessage>({
      url: () => `${scheme}//${location.host}${path}`,
      make: (url) => new WebSocket(url, [SUBPROTOCOL]),
      greet: () => ({ type: "hello", version: VERSION, seen: this.seen }),
      ping: () => this.ping(),
      onmessage: (message) => this.take(message),
      onconnection: (state) => events.connection(state),
      final: [CLOSE_NO_SESSION, CLOSE_NO_TABLE, CLOSE_REFUSED, CLOSE_VERSION],
      onfinal: (code) => {
        this.fail(new ApiError("net.closed", {}, 0));
        events.gone(code);
      },
    });
  }

  open(): void {
    this.socket.open();
    this.pinger = setInterval(() => this.socket.send(this.ping()), 20_000);
  }

  close(): void {
    clearInterval(this.pinger);
    this.socket.close();
    this.fail(new ApiError("net.closed", {}, 0));
  }

  /**
   * Sends a command, now or as soon as the connection is back; it is done once however often it
   * has to be sent.
   *
   * @throws Refused if the server refuses it.
   */
  command(wish: Wish): Promise<Answer> {
    const command = { ...wish, id: newKey(), seen: this.seen ?? 0 } as Command;
    if (command.type === "keep_draft" && this.socket.connection !== "open") {
      // What was arranged before it needs not be sent any more.
      for (const [id, { command: old, failed }] of this.pending) {
        if (old.type !== "keep_draft" || old.seat !== command.seat) continue;
        this.pending.delete(id);
        failed(new ApiError("net.superseded", {}, 0));
      }
    }
    return new Promise((done, failed) => {
      this.pending.set(command.id, { command, done, failed });
      this.socket.send(command);
    });
  }

  private take(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.seen = message.state.seq;
        this.clock.hear(message.state.clock.now);
        this.socket.send(this.ping());
        for (const { command } of this.pending.values()) this.socket.send(command);
        this.events.welcome(message);
        break;
      case "update":
        if (this.seen !== null && message.seq <= this.seen) break;
        if (this.seen !== null && message.seq > this.seen + 1) {
          this.socket.restart();
          break;
        }
        this.seen = message.seq;
        this.clock.hear(message.state.clock.now);
        this.events.update(message);
        break;
      case "reply":
      case "verdict":
      case "hint":
        this.pending.get(message.to)?.done(message);
        this.pending.delete(message.to);
        break;
      case "failed":
        if (message.to === null) break;
        this.pending
          .get(message.to)
          ?.failed(new Refused(message.code, message.fields, message.message, message.verdict));
        this.pending.delete(message.to);
        break;
      case "draft":
        this.events.draft(message);
        break;
      case "watchers":
        this.events.watchers(message);
        break;
      case "pong": {
        const sent = this.pings.get(message.echo);
        if (sent !== undefined) this.clock.read(message.now, sent);
        this.pings.delete(message.echo);
        break;
      }
      default:
        // Kinds that this client does not know, and `bye`: the closing that follows says it all.
        break;
    }
  }

  private ping(): ClientMessage {
    this.pingCount += 1;
    this.pings.set(this.pingCount, performance.now());
    if (this.pings.size > 20) this.pings.clear();
    return { type: "ping", echo: this.pingCount };
  }

  private fail(error: ApiError): void {
    for (const { failed } of this.pending.values()) failed(error);
    this.pending.clear();
  }
}
