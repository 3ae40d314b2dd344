/** What the service worker does with a request; apart from it, so that it can be tested. */

/** The page itself, a file of the client, or nothing of ours. */
export type Way = "page" | "file" | "pass";

export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/**
 * Only the page and its files are ever answered from the cache: what the server says about
 * tables and people always comes from the server, or not at all.
 */
export function wayOf({ method, mode, url }: Asked, origin: string): Way {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) return "pass";
  if (address.pathname.startsWith("/assets/")) return "file";
  return mode === "navigate" && address.pathname === "/" ? "page" : "pass";
}

export const PREFIX = "meldwise-";

/**
 * The caches to be dropped when a version takes over. The one before it stays: a page that was
 * opened with it may still want a part of its script.
 */
export function outdated(names: readonly string[], current: string): string[] {
  const ours = names.filter((name) => name.startsWith(PREFIX) && name !== current);
  return ours.slice(0, -1);
}
