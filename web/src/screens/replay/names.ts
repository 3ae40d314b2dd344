/** Tiles and melds in the reader's language, as the table says them. */
import type { Meld } from "../../board/pieces.ts";
import { plain } from "../../board/pieces.ts";
import { meldName as plainMeldName, tileName } from "../table/words.ts";

export { tileName };
export const meldName = (meld: Meld): string => plainMeldName(plain(meld));
