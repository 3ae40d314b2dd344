import { describe, expect, it } from "vitest";
import { formatMeld, parseMeld } from "./melds.ts";
import { describePlay, exchange } from "./speech.ts";
import { formatTile, parseTiles } from "./tiles.ts";

const table = (text: string) => text.split(" ").filter(Boolean).map(parseMeld);

function said(tiles: string, before: string, after: string): string[] {
  return describePlay(parseTiles(tiles), table(before), table(after)).map((part) => {
    if (part.kind === "new") return `new ${formatMeld(part.meld)}`;
    const names = part.tiles.map(formatTile).join(" ");
    if (part.kind === "added") return `${names} to ${formatMeld(part.meld)}`;
    return `${names} in ${part.melds}`;
  });
}

describe("a play in words", () => {
  it("names what was added to what", () => {
    expect(said("r8", "r5-6-7", "r5-6-7-8")).toEqual(["r8 to r5-6-7"]);
    expect(said("r8 y9", "r5-6-7 9bkr", "r5-6-7-8 9bkry")).toEqual(["r8 to r5-6-7", "y9 to 9bkr"]);
  });

  it("names new melds", () => {
    expect(said("b1 b2 b3", "", "b1-2-3")).toEqual(["new b1-2-3"]);
  });

  it("tells a rearrangement from both", () => {
    expect(said("r4 b9 b10 b11", "r5-6-7-8 8byk", "r4-5-6-7 8byk b9-10-11 r8-*-10")).toEqual([
      "new b9-10-11",
      "r4 in 3",
    ]);
    expect(said("r8", "7rbk r9-10-11", "r7-8-9-10-11 7bky")).toEqual(["r8 in 2"]);
  });
});

describe("a table after an exchange", () => {
  it("keeps what was not touched in its place", () => {
    const now = exchange(table("r1-2-3 7rbk b4-5-6"), table("7krb"), table("7rbky"));
    expect(now.map(formatMeld)).toEqual(["r1-2-3", "b4-5-6", "7rbky"]);
  });
});
