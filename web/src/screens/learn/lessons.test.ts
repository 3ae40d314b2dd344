import { describe, expect, it } from "vitest";
import { type Board, meldOf, place, startBoard, type Target } from "../../board/board.ts";
import { parseMeld } from "../../board/melds.ts";
import { adopt, newPiece } from "../../board/pieces.ts";
import { formatTile, parseTile } from "../../board/tiles.ts";
import { isDone, LESSONS, type Lesson, lackOf, stateOf } from "./lessons.ts";

function boardOf(lesson: Lesson): Board {
  const base = adopt([], lesson.table.map(parseMeld));
  const hand = lesson.hand.map((tile) => newPiece(parseTile(tile)));
  return startBoard(base, hand, lesson.opened);
}

/** Moves tiles by name, to a new meld or to the meld that holds a tile. */
function move(board: Board, tiles: string, to: "new" | string): Board {
  const all = [...board.hand, ...board.melds.flatMap((meld) => meld.cells)];
  const find = (text: string) => all.find((piece) => formatTile(piece.tile) === text)!;
  const ids = tiles.split(" ").map((text) => find(text).id);
  const target: Target =
    to === "new" ? { to: "new" } : { to: "meld", meld: meldOf(board, find(to).id)!.id };
  const outcome = place(board, ids, target);
  if (outcome.refused) throw new Error(outcome.refused);
  return outcome.board;
}

const SOLUTIONS: Record<Lesson["name"], [string, string][]> = {
  melds: [
    ["r4 r5 r6", "new"],
    ["k9 b9 y9", "new"],
  ],
  opening: [["y10 y11 y12", "new"]],
  adding: [
    ["b4", "b5"],
    ["r4", "r3"],
    ["b8", "b7"],
  ],
  rearranging: [["k7 y7 b7", "new"]],
  jokers: [
    ["r5", "r4"],
    ["* k9 b9", "new"],
  ],
  turn: [],
};

describe("each lesson", () => {
  it.each(LESSONS.filter((lesson) => !lesson.draw).map((lesson) => [lesson.name, lesson] as const))(
    "%s can be done, and is not done before",
    (name, lesson) => {
      let board = boardOf(lesson);
      expect(lackOf(lesson, board)).toBe("nothing");
      for (const [tiles, to] of SOLUTIONS[name]) {
        expect(isDone(lesson, board)).toBe(false);
        board = move(board, tiles, to);
      }
      expect(isDone(lesson, board)).toBe(true);
      expect(lackOf(lesson, board)).toBeUndefined();
    },
  );

  it("says what is still lacking", () => {
    const [, opening, , , jokers] = LESSONS;
    expect(lackOf(opening, move(boardOf(opening), "r2 k2 b2", "new"))).toBe("opening");
    expect(lackOf(jokers, move(boardOf(jokers), "r5", "r4"))).toBe("joker");
    expect(lackOf(LESSONS[0], move(boardOf(LESSONS[0]), "r4 r5", "new"))).toBe("unfinished");
    expect(lackOf(LESSONS[0], move(boardOf(LESSONS[0]), "r4 r5 r6", "new"))).toBe("more");
  });

  it("is a table with the learner to move", () => {
    for (const [index, lesson] of LESSONS.entries()) {
      const state = stateOf(lesson, index + 1, "Ana", "Ben");
      expect(state.match?.round?.seat).toBe(0);
      expect(state.match?.hands[0].tiles).toEqual(lesson.hand);
    }
  });
});
