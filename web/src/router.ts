/**
 * Addresses within the client.
 *
 * They live behind the `#`, so that every address is the one page that the server serves, and
 * a share link never reaches a log of the server.
 */

/** An address taken apart: the parts of its path, and its query. */
export interface Address {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function parseAddress(hash: string): Address {
  const plain = hash.replace(/^#?\/?/, "");
  const [path, query = ""] = plain.split("?", 2);
  return {
    path: path.split("/").filter(Boolean).map(safeDecode),
    query: new URLSearchParams(query),
  };
}

export function formatAddress(
  path: readonly (string | number)[],
  query: Record<string, string> = {},
): string {
  const search = new URLSearchParams(query).toString();
  return `#/${path.map((part) => encodeURIComponent(part)).join("/")}${search && `?${search}`}`;
}

/** Goes to an address; `replace` leaves no entry to come back to. */
export function go(
  path: readonly (string | number)[],
  options: { replace?: boolean; query?: Record<string, string> } = {},
): void {
  const address = formatAddress(path, options.query);
  if (options.replace) location.replace(address);
  else location.hash = address;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Matches a pattern such as `table/:id`, where `:id?` may be absent. */
export function matchPath(
  pattern: string,
  path: readonly string[],
): Record<string, string> | undefined {
  const parts = pattern.split("/").filter(Boolean);
  const found: Record<string, string> = {};
  if (path.length > parts.length) return undefined;
  for (const [place, part] of parts.entries()) {
    const value = path[place];
    if (part.startsWith(":")) {
      const optional = part.endsWith("?");
      if (value === undefined && !optional) return undefined;
      if (value !== undefined) found[part.slice(1, optional ? -1 : undefined)] = value;
    } else if (part !== value) return undefined;
  }
  return found;
}
