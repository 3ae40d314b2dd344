/** Names to suggest, so that nobody has to think of one before playing. */
import { settings } from "./settings.svelte.ts";

// Plants, birds and colours: they offend nobody and need no translation.
// biome-ignore format: one name a line is no help
const NAMES = [
  "Alba", "Aster", "Basil", "Birch", "Cedar", "Clover", "Coral", "Dune", "Fern", "Flint",
  "Hazel", "Heron", "Indigo", "Iris", "Jasper", "Juniper", "Kestrel", "Laurel", "Linden", "Maple",
  "Marlow", "Mistral", "Olive", "Opal", "Otter", "Pepper", "Poppy", "Quill", "Robin", "Rowan",
  "Saffron", "Sage", "Sorrel", "Tansy", "Teal", "Thyme", "Violet", "Willow", "Wren", "Zephyr",
];

let start: number | undefined;

function someStart(): number {
  start ??= crypto.getRandomValues(new Uint8Array(1))[0] % NAMES.length;
  return start;
}

/** The name last used on this device, or one out of a list; the same until the page goes. */
export const suggestedName = (): string => settings.name || NAMES[someStart()];

/** Names for several people around one device, none of them twice. */
export function suggestedNames(count: number): string[] {
  const first = suggestedName();
  const others = NAMES.map((_, index) => NAMES[(someStart() + (index + 1) * 7) % NAMES.length]);
  return [first, ...others.filter((name) => name !== first)].slice(0, count);
}
