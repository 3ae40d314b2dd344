import { describe, expect, it } from "vitest";
import { outdated, wayOf } from "./strategy.ts";

const HERE = "https://table.example";
const way = (path: string, method = "GET", mode = "no-cors") =>
  wayOf({ method, mode, url: new URL(path, HERE).href }, HERE);

describe("the service worker", () => {
  it("keeps the page and its files", () => {
    expect(way("/", "GET", "navigate")).toBe("page");
    expect(way("/?x=1", "GET", "navigate")).toBe("page");
    expect(way("/assets/index-abc.js")).toBe("file");
  });

  it("never touches what the server says", () => {
    expect(way("/api/v1/tables")).toBe("pass");
    expect(way("/api/v1/tables/x/ws")).toBe("pass");
    expect(way("/api/v1/tables/x/record", "GET", "navigate")).toBe("pass");
    expect(way("/", "POST", "navigate")).toBe("pass");
    expect(way("https://elsewhere.example/assets/a.js")).toBe("pass");
    expect(way("/")).toBe("pass");
  });

  it("keeps the version before its own for pages that are still open", () => {
    const names = ["meldwise-1", "meldwise-2", "other", "meldwise-3"];
    expect(outdated(names, "meldwise-3")).toEqual(["meldwise-1"]);
    expect(outdated(["meldwise-3"], "meldwise-3")).toEqual([]);
  });
});
