/**
 * The server's time, as well as it can be known here.
 *
 * A reading is taken as exact to half its round trip; the quickest of the last readings is
 * believed, as its error is the smallest. Local time is a steady counter, so that a change of
 * the device's clock moves nothing.
 */
export class ServerClock {
  private readings: { offset: number; trip: number }[] = [];
  private readonly now: () => number;

  /** @param now steady local time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Takes a reading: the server's time (ms) in the answer to something sent at `sent`. */
  read(serverTime: number, sent: number): void {
    const received = this.now();
    const trip = Math.max(0, received - sent);
    this.readings.push({ offset: serverTime - (sent + trip / 2), trip });
    if (this.readings.length > 12) this.readings.shift();
  }

  /** Takes the time of a message that was not asked for: known to be at least that late. */
  hear(serverTime: number): void {
    const offset = serverTime - this.now();
    if (this.readings.length === 0 || offset > this.offset) {
      this.readings = [{ offset, trip: this.readings.length ? this.best.trip : 2000 }];
    }
  }

  /** The server's time now, in its milliseconds. */
  serverNow(): number {
    return this.now() + this.offset;
  }

  /** Milliseconds until a deadline in server time; never negative. */
  until(deadline: number): number {
    return Math.max(0, deadline - this.serverNow());
  }

  private get best(): { offset: number; trip: number } {
    return this.readings.reduce((a, b) => (b.trip < a.trip ? b : a));
  }

  private get offset(): number {
    return this.readings.length ? this.best.offset : 0;
  }
}
