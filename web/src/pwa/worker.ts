/**
 * The service worker: the client can be installed and opens without a network.
 *
 * The page is asked from the server first, so that a new version is never kept away by an old
 * one; its files carry their content in their names and come from the cache. The list of files
 * and the version are written in by the build.
 */
import { outdated, PREFIX, wayOf } from "./strategy.ts";

interface WaitEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface AskEvent extends WaitEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Worker {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: WaitEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: AskEvent) => void): void;
}

declare const __SHELL__: readonly string[];
declare const __VERSION__: string;

const worker = self as unknown as Worker;
const CACHE = PREFIX + __VERSION__;
/** How long the server may take for the page before the kept one is shown, in milliseconds. */
const PATIENCE = 4000;

worker.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      const page = new Request("/", { cache: "reload" });
      await cache.addAll([page, ...__SHELL__]);
      await worker.skipWaiting();
    })(),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(outdated(names, CACHE).map((name) => caches.delete(name)));
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("fetch", (event) => {
  const way = wayOf(event.request, worker.location.origin);
  if (way === "file") event.respondWith(file(event.request));
  else if (way === "page") event.respondWith(page(event.request));
});

async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

async function page(request: Request): Promise<Response> {
  const kept = await caches.match("/");
  if (!kept) return fetch(request);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    // A proxy's complaint about a server that is away is no page of ours.
    return answer.ok ? answer : kept;
  } catch {
    return kept;
  }
}
