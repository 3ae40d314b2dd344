/** What this browser's user prefers; kept here and nowhere else. */

import { LANGUAGES, type Language, setLanguage, t } from "../i18n/index.svelte.ts";
import { toast } from "./messages.svelte.ts";

export const TABLE_THEMES = ["oak", "felt", "slate", "linen", "plum"] as const;
export type TableTheme = (typeof TABLE_THEMES)[number];
export type Brightness = "system" | "light" | "dark";
export type Speed = "slow" | "normal" | "fast" | "instant";

interface Values {
  language: Language | "";
  brightness: Brightness;
  table: TableTheme;
  sound: boolean;
  volume: number;
  speed: Speed;
  motion: "system" | "less";
  name: string;
}

const KEY = "meldwise.settings";

const DEFAULTS: Values = {
  language: "",
  brightness: "system",
  table: "oak",
  sound: true,
  volume: 0.5,
  speed: "normal",
  motion: "system",
  name: "",
};

export const settings: Values = $state({ ...DEFAULTS, ...read() });

/** Changes one or several settings, keeps them and applies them to the page. */
export function changeSettings(changes: Partial<Values>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
  applySettings().catch(() => toast(t("net.failed"), "bad"));
}

/** Puts brightness and table theme onto the page, and the language once its texts are there. */
export async function applySettings(): Promise<void> {
  const root = document.documentElement;
  root.dataset.brightness = settings.brightness;
  root.dataset.table = settings.table;
  root.dataset.motion = settings.motion;
  await setLanguage(settings.language || preferredLanguage());
}

/** Whether movement is to be kept small, by setting or by the system's wish. */
export function lessMotion(): boolean {
  return settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function preferredLanguage(): Language {
  for (const wish of navigator.languages) {
    const code = wish.slice(0, 2).toLowerCase();
    const found = LANGUAGES.find((language) => language.code === code);
    if (found) return found.code;
  }
  return "en";
}

function read(): Partial<Values> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    const known: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(found)) {
      const preset: unknown = DEFAULTS[name as keyof Values];
      if (typeof preset === typeof value) known[name] = value;
    }
    if (!TABLE_THEMES.includes(known.table as TableTheme)) delete known.table;
    return known as Partial<Values>;
  } catch {
    return {};
  }
}
