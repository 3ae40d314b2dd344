/** Shows what happened one step after the other, each with the time that the eye needs. */
export class Paced<Step> {
  private steps: Step[] = [];
  private working = false;
  private wake: (() => void) | undefined;
  private readonly show: (step: Step, waiting: number) => number;

  /** `show` is told how many more steps wait, and says how long to look, in milliseconds. */
  constructor(show: (step: Step, waiting: number) => number) {
    this.show = show;
  }

  push(step: Step): void {
    this.steps.push(step);
    if (!this.working) void this.work();
  }

  /** Ends the time that the eye has for what is shown. */
  hurry(): void {
    this.wake?.();
  }

  /** What was not shown yet never is. */
  clear(): void {
    this.steps = [];
  }

  private async work(): Promise<void> {
    this.working = true;
    for (let step = this.steps.shift(); step !== undefined; step = this.steps.shift()) {
      const time = this.show(step, this.steps.length);
      if (time > 0) {
        await new Promise<void>((done) => {
          this.wake = done;
          setTimeout(done, time);
        });
        this.wake = undefined;
      }
    }
    this.working = false;
  }
}
