/**
 * Texts in the reader's language.
 *
 * A catalogue is a JSON file of flat keys, and the one that is wanted is fetched: nothing is
 * shown before it is there. A text holds its parameters in braces, and a text that counts has forms by the
 * plural category of its parameter `count`, as in `{"one": "{count} tile", "other": "..."}`.
 */
import type en from "./en.json";

type Text = string | Record<string, string>;
type Catalogue = Record<string, Text>;

export type TextKey = keyof typeof en;
export type Parameters = Record<string, string | number>;

export type Language = "en" | "fr" | "ca" | "nl";

export const LANGUAGES: readonly { code: Language; name: string }[] = [
  { code: "en", name: "English" },
  { code: "fr", name: "Français" },
  { code: "ca", name: "Català" },
  { code: "nl", name: "Nederlands" },
];

const LOADERS: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./en.json"),
  fr: () => import("./fr.json"),
  ca: () => import("./ca.json"),
  nl: () => import("./nl.json"),
};

let current = $state.raw<{ language: Language; texts: Catalogue }>({ language: "en", texts: {} });
let wanted: Language | undefined;

/**
 * Shows everything in another language once its texts have arrived.
 *
 * Of several wishes the last one counts, whichever texts come first. If the texts cannot be
 * fetched, the language stays as it was, and the promise fails.
 */
export async function setLanguage(language: Language): Promise<void> {
  if (language === wanted) return;
  const before = wanted;
  wanted = language;
  let texts: Catalogue;
  try {
    texts = (await LOADERS[language]()).default;
  } catch (error) {
    if (wanted === language) wanted = before;
    throw error;
  }
  if (wanted !== language) return;
  current = { language, texts };
  document.documentElement.lang = language;
}

export function language(): Language {
  return current.language;
}

/** The text of a key with its parameters filled in. */
export function t(key: TextKey, parameters: Parameters = {}): string {
  return fill(current.texts[key] ?? key, parameters, current.language);
}

/** The same, for a key that is put together; undefined if there is no such text. */
export function maybe(key: string, parameters: Parameters = {}): string | undefined {
  const text = current.texts[key];
  return text === undefined ? undefined : fill(text, parameters, current.language);
}

export function fill(text: Text, parameters: Parameters, language: Language): string {
  let pattern: string;
  if (typeof text === "string") pattern = text;
  else {
    const category = new Intl.PluralRules(language).select(Number(parameters.count ?? 0));
    pattern = text[category] ?? text.other;
  }
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in parameters ? String(parameters[name]) : whole,
  );
}

/** Words joined as the language joins them. */
export function listOf(words: readonly string[], either = false): string {
  const type = either ? "disjunction" : "conjunction";
  return new Intl.ListFormat(current.language, { type }).format(words);
}
