/**
 * The screens by address. A new one is a folder here, a line below, and its texts in
 * `src/i18n/*.json`; see web/README.md.
 */
import type { Component } from "svelte";
import { matchPath } from "../router.ts";

export interface ScreenProps {
  params: Record<string, string>;
  query: URLSearchParams;
}

// A screen that needs nothing from its address declares no properties.
// biome-ignore lint/suspicious/noExplicitAny: components are compared by their properties both ways
type Screen = Component<any>;

interface Route {
  readonly name: string;
  readonly pattern: string;
  readonly load: () => Promise<{ default: Screen }>;
}

export const routes: readonly Route[] = [
  { name: "start", pattern: "", load: () => import("./start/Start.svelte") },
  { name: "table", pattern: "table/:id", load: () => import("./table/Table.svelte") },
  { name: "setup", pattern: "setup/:mode?", load: () => import("./setup/Setup.svelte") },
  { name: "lobby", pattern: "lobby", load: () => import("./lobby/Lobby.svelte") },
  { name: "join", pattern: "join/:code?", load: () => import("./lobby/Join.svelte") },
  { name: "room", pattern: "room/:id", load: () => import("./room/Room.svelte") },
  { name: "tutorial", pattern: "tutorial/:step?", load: () => import("./learn/Tutorial.svelte") },
  { name: "rules", pattern: "rules/:game?", load: () => import("./learn/Rules.svelte") },
  { name: "replay", pattern: "replay/:id?", load: () => import("./replay/Replay.svelte") },
];

/** The screen at a path, with what the path says; the start for an unknown one. */
export function screenAt(path: readonly string[]): {
  route: Route;
  params: Record<string, string>;
} {
  for (const route of routes) {
    const params = matchPath(route.pattern, path);
    if (params) return { route, params };
  }
  return { route: routes[0], params: {} };
}
