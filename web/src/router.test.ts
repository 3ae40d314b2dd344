import { describe, expect, it } from "vitest";
import { formatAddress, matchPath, parseAddress } from "./router.ts";

describe("addresses", () => {
  it("are read as they are written", () => {
    const text = formatAddress(["table", "a b/c"], { seat: "1" });
    const address = parseAddress(text);
    expect(address.path).toEqual(["table", "a b/c"]);
    expect(address.query.get("seat")).toBe("1");
  });

  it("survive what cannot be decoded", () => {
    expect(parseAddress("#/table/%E0%A4%A").path).toEqual(["table", "%E0%A4%A"]);
    expect(parseAddress("").path).toEqual([]);
  });

  it("match patterns", () => {
    expect(matchPath("", [])).toEqual({});
    expect(matchPath("table/:id", ["table", "x"])).toEqual({ id: "x" });
    expect(matchPath("table/:id", ["table"])).toBeUndefined();
    expect(matchPath("rules/:game?", ["rules"])).toEqual({});
    expect(matchPath("rules/:game?", ["rules", "a", "b"])).toBeUndefined();
    expect(matchPath("", ["table"])).toBeUndefined();
  });
});
