import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import ca from "./ca.json";
import en from "./en.json";
import fr from "./fr.json";
import { fill } from "./index.svelte.ts";
import nl from "./nl.json";

type Text = string | Record<string, string>;
type Catalogue = Record<string, Text>;

const english = en as Catalogue;
const others: Record<string, Catalogue> = { fr, ca, nl };

const source = fileURLToPath(new URL("..", import.meta.url));
const code = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ts|svelte)$/.test(name) && !/\.test\.ts$/.test(name))
  .map((name) => readFileSync(`${source}/${name}`, "utf8"))
  .join("\n");

/** A key is used if it stands somewhere as a literal, or begins like a template of `maybe`. */
function isUsed(key: string): boolean {
  if (code.includes(`"${key}"`)) return true;
  return [...code.matchAll(/maybe\(\s*`([\w.]+\.)\$\{/g)].some((match) => key.startsWith(match[1]));
}

const parameters = (text: Text): string[] => {
  const forms = typeof text === "string" ? [text] : Object.values(text);
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
};

describe("the texts", () => {
  it("are all used", () => {
    expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([]);
  });

  it.each(Object.keys(others))("are complete in %s, and no more", (language) => {
    expect(Object.keys(others[language]).sort()).toEqual(Object.keys(english).sort());
  });

  it.each(Object.keys(others))("take the same parameters in %s", (language) => {
    const catalogue = others[language];
    const wrong = Object.keys(english).filter(
      (key) => `${parameters(catalogue[key])}` !== `${parameters(english[key])}`,
    );
    expect(wrong).toEqual([]);
  });

  it.each(["en", ...Object.keys(others)])("have the forms that %s counts with", (language) => {
    const catalogue = language === "en" ? english : others[language];
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, text] of Object.entries(catalogue)) {
      if (typeof text === "string") continue;
      // "many" is for millions in these languages; what is missing falls back to "other".
      const needed = categories.filter((category) => category !== "many");
      expect(Object.keys(text).sort(), key).toEqual([...needed].sort());
    }
  });

  it("are not empty, and have no stray space", () => {
    for (const catalogue of [english, ...Object.values(others)]) {
      for (const [key, text] of Object.entries(catalogue)) {
        for (const form of typeof text === "string" ? [text] : Object.values(text)) {
          expect(form.trim(), key).toBe(form);
          expect(form, key).not.toBe("");
        }
      }
    }
  });
});

describe("filling in", () => {
  it("chooses the form by the count and leaves unknown braces alone", () => {
    const text = { one: "{count} tile", other: "{count} tiles" };
    expect(fill(text, { count: 1 }, "en")).toBe("1 tile");
    expect(fill(text, { count: 0 }, "en")).toBe("0 tiles");
    expect(fill(text, { count: 0 }, "fr")).toBe("0 tile");
    expect(fill("{a} {b}", { a: "x" }, "en")).toBe("x {b}");
  });
});
