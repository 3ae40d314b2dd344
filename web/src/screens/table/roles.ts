/** What is written on a joker: the number, with the shapes of the colours it may have. */
import { colourOf, numberOf, type Tile } from "../../board/tiles.ts";

const SHAPES = ["●", "▲", "■", "◆"];

export function roleText(role: readonly Tile[]): string {
  if (role.length === 0) return "";
  return `${numberOf(role[0])}${role.map((tile) => SHAPES[colourOf(tile)]).join("")}`;
}
