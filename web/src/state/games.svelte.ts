/** What the server says of the games, asked once for each language. */
import { language } from "../i18n/index.svelte.ts";
import { call } from "../net/api.ts";
import type { GamesPage } from "../net/protocol.ts";

let asked: { language: string; page: Promise<GamesPage> } | undefined;

/** @throws ApiError if the server cannot be reached. */
export function fetchGames(): Promise<GamesPage> {
  const wanted = language();
  if (asked?.language !== wanted) {
    const page = call<GamesPage>("GET", "/api/v1/games");
    const mine = { language: wanted, page };
    asked = mine;
    page.catch(() => {
      if (asked === mine) asked = undefined;
    });
  }
  return asked.page;
}
