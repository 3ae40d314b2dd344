/** Registers the service worker, and changes to a new version at a moment that disturbs nobody. */

import { t } from "../i18n/index.svelte.ts";
import { toast } from "../state/messages.svelte.ts";

const HOUR = 3_600_000;

export async function registerWorker(): Promise<void> {
  // Only addresses that browsers call secure have workers: https, and this very machine.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const first = navigator.serviceWorker.controller === null;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js", {
      updateViaCache: "none",
    });
    const look = () => {
      if (document.visibilityState === "visible") void registration.update().catch(() => {});
    };
    setInterval(look, HOUR);
    document.addEventListener("visibilitychange", look);
  } catch {
    // Without a worker everything works but the start without a network.
    return;
  }
  let taken = first;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    // The first worker takes over the page that it belongs to.
    if (taken) {
      taken = false;
      return;
    }
    toast(t("app.newer"), "plain", 12_000);
    // The server keeps every game, so the page can be loaded anew between two screens.
    addEventListener("hashchange", () => location.reload(), { once: true });
  });
}
