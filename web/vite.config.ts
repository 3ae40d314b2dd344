import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Packages of which something is served to players, and whose licences therefore travel along. */
const SHIPPED = ["svelte", "@fontsource-variable/figtree", "@fontsource/fraunces", "qr"];

/** Writes the licences of everything shipped beside it. */
function licences(): Plugin {
  return {
    name: "meldwise-licences",
    apply: "build",
    generateBundle() {
      const texts = SHIPPED.map((name) => {
        const folder = here(`./node_modules/${name}`);
        const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
        if (!file) throw new Error(`${name} has no licence file`);
        return `${name}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
      });
      this.emitFile({
        type: "asset",
        fileName: "assets/licences.txt",
        source: texts.join("\n---\n\n"),
      });
    },
  };
}

/** Writes the files to keep and the version into the service worker, which keeps its own name. */
function serviceWorker(): Plugin {
  return {
    name: "meldwise-service-worker",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const worker = bundle["sw.js"];
      if (worker?.type !== "chunk") throw new Error("the service worker was not built");
      const built = Object.keys(bundle).filter((name) => /\.(js|css|woff2|svg)$/.test(name));
      const fixed = readdirSync(here("./public/assets")).map((name) => `assets/${name}`);
      const files = [...new Set([...built, ...fixed])].filter((name) => name !== "sw.js").sort();
      const version = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 12);
      worker.code = worker.code
        .replaceAll("__SHELL__", JSON.stringify(files.map((name) => `/${name}`)))
        .replaceAll("__VERSION__", JSON.stringify(version));
    },
  };
}

/** The most that the script of a first table may take, in bytes as they travel. */
const MOST = 80_000;

/** Stops the build if start and table are more than that, in any language. */
function scriptSize(): Plugin {
  return {
    name: "meldwise-script-size",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
      const fileOf = (source: string) => {
        const found = chunks.find((chunk) => chunk.facadeModuleId === here(source));
        if (!found) throw new Error(`${source} is no part of the script of its own`);
        return found.fileName;
      };
      const needed = new Set<string>();
      const take = (file: string) => {
        const chunk = bundle[file];
        if (needed.has(file) || chunk?.type !== "chunk") return;
        needed.add(file);
        chunk.imports.forEach(take);
      };
      const sizeOf = (file: string) => {
        const chunk = bundle[file];
        return chunk?.type === "chunk" ? gzipSync(chunk.code, { level: 9 }).length : 0;
      };
      const screens = ["start/Start", "table/Table"].map((name) => `./src/screens/${name}.svelte`);
      for (const source of ["./index.html", ...screens]) take(fileOf(source));
      const shared = [...needed].reduce((sum, file) => sum + sizeOf(file), 0);
      const texts = readdirSync(here("./src/i18n")).filter((name) => name.endsWith(".json"));
      for (const name of texts) {
        const size = shared + sizeOf(fileOf(`./src/i18n/${name}`));
        const told = `Script of start and table with ${name}: ${(size / 1000).toFixed(1)} kB`;
        if (size > MOST) this.error(`${told}, of ${MOST / 1000} at most`);
        else this.info(told);
      }
    },
  };
}

export default defineConfig({
  root: here("."),
  base: "/",
  plugins: [svelte(), licences(), serviceWorker(), scriptSize()],
  build: {
    outDir: process.env.MELDWISE_WEB_OUT ?? here("../src/meldwise/server/web"),
    emptyOutDir: true,
    target: "es2022",
    // Everything comes from the server itself: its content security policy forbids data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      input: { index: here("./index.html"), sw: here("./src/pwa/worker.ts") },
      output: {
        // Its address must stay the same, and above all that it looks after.
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  server: {
    proxy: existsSync(here("../src/meldwise/server"))
      ? { "/api": { target: "http://127.0.0.1:8765", ws: true } }
      : undefined,
  },
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
  },
});
