/**
 * A WebSocket that heals itself.
 *
 * It reconnects with growing, jittered pauses, at once when the network or the tab comes back,
 * and notices a connection that is open but dead. What the messages mean is the owner's: on
 * every opening it is asked for a greeting, which says from where to resume.
 */

export type Connection = "connecting" | "open" | "lost" | "closed";

export interface SocketOptions<In, Out> {
  url: () => string;
  /** What to say first on every new connection, if anything. */
  greet?: () => Out | undefined;
  onmessage: (message: In) => void;
  onconnection?: (state: Connection) => void;
  /** What to send when nothing came for a while, so that the other end answers. */
  ping?: () => Out;
  /** Codes of closing after which trying again is of no use. */
  final?: readonly number[];
  onfinal?: (code: number, reason: string) => void;
  /** In milliseconds; for tests. */
  quiet?: number;
  make?: (url: string) => WebSocket;
  random?: () => number;
}

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8000;

export class HealingSocket<In, Out> {
  private readonly options: SocketOptions<In, Out>;
  private socket: WebSocket | undefined;
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setTimeout> | undefined;
  private state: Connection = "closed";

  constructor(options: SocketOptions<In, Out>) {
    this.options = options;
  }

  get connection(): Connection {
    return this.state;
  }

  open(): void {
    globalThis.addEventListener?.("online", this.hurry);
    globalThis.document?.addEventListener("visibilitychange", this.hurry);
    this.connect();
  }

  close(): void {
    globalThis.removeEventListener?.("online", this.hurry);
    globalThis.document?.removeEventListener("visibilitychange", this.hurry);
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close(1000);
    this.tell("closed");
  }

  /** Drops the connection and makes a new one at once, as after a gap in what came. */
  restart(): void {
    const socket = this.socket;
    if (!socket) return;
    this.socket = undefined;
    socket.close();
    this.attempts = Math.max(this.attempts, 1);
    this.connect();
  }

  /** Sends if the connection is open; says whether it could. */
  send(message: Out): boolean {
    if (this.state !== "open" || !this.socket) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private connect(): void {
    clearTimeout(this.timer);
    const url = this.options.url();
    const socket = this.options.make ? this.options.make(url) : new WebSocket(url);
    this.socket = socket;
    this.tell(this.attempts ? "lost" : "connecting");
    // A connection that neither opens nor fails is given up.
    this.arm(10_000, () => this.drop(socket));
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.tell("open");
      this.listen(socket);
      const greeting = this.options.greet?.();
      if (greeting !== undefined) this.send(greeting);
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.socket) return;
      this.attempts = 0;
      this.listen(socket);
      let message: In;
      try {
        message = JSON.parse(event.data) as In;
      } catch {
        return;
      }
      this.options.onmessage(message);
    };
    socket.onclose = (event: CloseEvent) => {
      if (socket !== this.socket) return;
      clearTimeout(this.watch);
      this.socket = undefined;
      if (this.options.final?.includes(event.code)) {
        this.close();
        this.options.onfinal?.(event.code, event.reason);
      } else this.again();
    };
  }

  private again(): void {
    this.tell("lost");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.attempts);
    const jitter = 0.6 + 0.4 * (this.options.random ?? Math.random)();
    this.attempts += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), pause * jitter);
  }

  /** Waits for a sign of life; asks once, then gives the connection up. */
  private listen(socket: WebSocket): void {
    const quiet = this.options.quiet ?? 15_000;
    this.arm(quiet, () => {
      const ping = this.options.ping?.();
      if (ping === undefined) return;
      this.send(ping);
      this.arm(Math.min(quiet, 6000), () => this.drop(socket));
    });
  }

  private arm(milliseconds: number, then: () => void): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(then, milliseconds);
  }

  private drop(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.socket = undefined;
    socket.close();
    this.again();
  }

  private readonly hurry = (): void => {
    if (globalThis.document?.visibilityState === "hidden") return;
    if (this.state === "lost" && !this.socket) {
      this.attempts = 0;
      this.connect();
    } else if (this.socket && this.state === "open") {
      // The device may have slept: find out now, not after the usual silence.
      const socket = this.socket;
      const ping = this.options.ping?.();
      if (ping !== undefined) {
        this.send(ping);
        this.arm(4000, () => this.drop(socket));
      }
    }
  };

  private tell(state: Connection): void {
    if (state === this.state) return;
    this.state = state;
    this.options.onconnection?.(state);
  }
}
