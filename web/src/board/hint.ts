/** The table after some steps of a hint: what is done lies there, the rest as it was. */
import type { PlainMeld } from "./melds.ts";
import type { Tile } from "./tiles.ts";

export interface HintPart {
  readonly meld: PlainMeld;
  /** The old meld whose place it takes. */
  readonly grows: number | null;
  /** Where its tiles come from: an old meld, or the hand (null). */
  readonly sources: readonly { readonly place: number | null; readonly tiles: readonly Tile[] }[];
}

/** Melds that were robbed stay as what is left of them, until a later step uses that up. */
export function hintTable(base: readonly PlainMeld[], steps: readonly HintPart[]): PlainMeld[] {
  const left: { kind: PlainMeld["kind"]; cells: Tile[] }[] = base.map((meld) => ({
    kind: meld.kind,
    cells: [...meld.cells],
  }));
  for (const step of steps) {
    for (const source of step.sources) {
      if (source.place === null) continue;
      for (const tile of source.tiles) {
        const cells = left[source.place]?.cells ?? [];
        const place = cells.indexOf(tile);
        if (place >= 0) cells.splice(place, 1);
      }
    }
  }
  const instead = new Map(
    steps.flatMap((step) => (step.grows === null ? [] : [[step.grows, step.meld] as const])),
  );
  const result: PlainMeld[] = [];
  for (const [place, meld] of left.entries()) {
    const grown = instead.get(place);
    if (grown) result.push(grown);
    if (meld.cells.length) result.push(meld);
  }
  return [...result, ...steps.filter((step) => step.grows === null).map((step) => step.meld)];
}
