import type { TextKey } from "../../i18n/index.svelte.ts";
import type { TableTheme } from "../../state/settings.svelte.ts";

export const themeName: Record<TableTheme, TextKey> = {
  oak: "settings.table.oak",
  felt: "settings.table.felt",
  slate: "settings.table.slate",
  linen: "settings.table.linen",
  plum: "settings.table.plum",
};
