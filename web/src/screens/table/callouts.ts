/** Where the words about melds stand: each by its meld, none over another, none cut off. */

export interface Callout {
  /** The middle of the meld, its upper and its lower edge. */
  readonly middle: number;
  readonly top: number;
  readonly bottom: number;
  /** How large the words are. */
  readonly width: number;
  readonly height: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

interface Box extends Place {
  readonly width: number;
  readonly height: number;
}

/** How far words stay from a meld, from each other, and from the edge. */
const FROM_MELD = 8;
const FROM_OTHERS = 4;
const FROM_EDGE = 6;

/**
 * The upper left corners of callouts, in their order.
 *
 * One stands above its meld, or below where there is no room above, or where others stand above;
 * where they stand below as well, it goes on downwards until it is clear of them.
 *
 * @param width - How wide the surface is.
 */
export function placeCallouts(callouts: readonly Callout[], width: number): Place[] {
  const taken: Box[] = [];
  for (const { middle, top, bottom, width: own, height } of callouts) {
    const most = Math.max(FROM_EDGE, width - own - FROM_EDGE);
    const x = Math.min(most, Math.max(FROM_EDGE, middle - own / 2));
    const box = (y: number): Box => ({ x, y, width: own, height });
    const above = box(top - FROM_MELD - height);
    let found = above;
    if (above.y < 0 || taken.some((other) => overlap(above, other))) {
      found = box(bottom + FROM_MELD);
      for (let other = inTheWay(found, taken); other; other = inTheWay(found, taken)) {
        found = box(other.y + other.height + FROM_OTHERS);
      }
    }
    taken.push(found);
  }
  return taken.map(({ x, y }) => ({ x, y }));
}

function inTheWay(box: Box, taken: readonly Box[]): Box | undefined {
  return taken.find((other) => overlap(box, other));
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width + FROM_OTHERS &&
    other.x < one.x + one.width + FROM_OTHERS &&
    one.y < other.y + other.height + FROM_OTHERS &&
    other.y < one.y + one.height + FROM_OTHERS
  );
}
