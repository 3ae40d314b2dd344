/** The user's own mixtures of rules, kept in this browser. */
import type { SavedMixture } from "./rules.ts";

const KEY = "meldwise.mixtures";

export const mixtures: SavedMixture[] = $state(read());

/** Keeps a mixture; one of the same name is replaced. */
export function keepMixture(mixture: SavedMixture): void {
  const place = mixtures.findIndex((kept) => kept.name === mixture.name);
  if (place < 0) mixtures.push(mixture);
  else mixtures[place] = mixture;
  write();
}

export function dropMixture(name: string): void {
  const place = mixtures.findIndex((kept) => kept.name === name);
  if (place >= 0) mixtures.splice(place, 1);
  write();
}

function write(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(mixtures));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

function read(): SavedMixture[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isMixture) : [];
  } catch {
    return [];
  }
}

function isMixture(value: unknown): value is SavedMixture {
  if (typeof value !== "object" || value === null) return false;
  const { name, game, changes } = value as Record<string, unknown>;
  return (
    typeof name === "string" &&
    typeof game === "string" &&
    typeof changes === "object" &&
    changes !== null &&
    Object.values(changes).every(
      (one) => one === null || ["string", "number", "boolean"].includes(typeof one),
    )
  );
}
