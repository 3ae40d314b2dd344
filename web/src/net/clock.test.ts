import { describe, expect, it } from "vitest";
import { ServerClock } from "./clock.ts";

describe("the server's clock", () => {
  it("halves the round trip and believes the quickest reading", () => {
    let now = 1000;
    const clock = new ServerClock(() => now);
    now = 1400;
    clock.read(50_200, 1000); // sent at 1000, answered at 1400: 50200 belongs to 1200
    expect(clock.serverNow()).toBe(50_400);
    now = 1500;
    clock.read(50_480, 1480); // quicker: 50480 belongs to 1490
    expect(clock.serverNow()).toBe(50_490);
    now = 3000;
    clock.read(99_000, 1500); // slow and wrong: not believed
    expect(clock.serverNow()).toBe(51_990);
  });

  it("never counts below zero", () => {
    let now = 0;
    const clock = new ServerClock(() => now);
    clock.read(1000, 0);
    expect(clock.until(1500)).toBe(500);
    now = 5000;
    expect(clock.until(1500)).toBe(0);
  });

  it("is late rather than early when it only hears", () => {
    let now = 100;
    const clock = new ServerClock(() => now);
    clock.hear(5000);
    now = 300;
    clock.hear(5100); // delayed on its way: says nothing new
    expect(clock.serverNow()).toBe(5200);
    clock.hear(5300); // proves that the server is later than thought
    expect(clock.serverNow()).toBe(5300);
  });
});
