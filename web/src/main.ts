import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { registerWorker } from "./pwa/register.ts";
import { formatAddress, parseAddress } from "./router.ts";
import { screenAt } from "./screens/index.ts";
import { applySettings } from "./state/settings.svelte.ts";

// Invitations are plain paths, which survive being typed and read aloud.
const invited = /^\/t\/([^/]+)/.exec(location.pathname);
if (invited) history.replaceState(null, "", `/${formatAddress(["join", invited[1]])}`);

// What is said where no texts could be fetched.
const AWAY: Record<string, string> = {
  en: "Meldwise cannot be reached. Try again",
  fr: "Meldwise est injoignable. Réessayer",
  ca: "No es pot arribar a Meldwise. Torna-ho a provar",
  nl: "Meldwise is niet bereikbaar. Probeer opnieuw",
};

async function begin(target: HTMLElement): Promise<void> {
  // The screen comes beside the texts; the client itself says it if it cannot be fetched.
  screenAt(parseAddress(location.hash).path)
    .route.load()
    .catch(() => undefined);
  try {
    await applySettings();
  } catch {
    const again = document.createElement("button");
    again.className = "cannot-begin";
    again.textContent = AWAY[navigator.language.slice(0, 2)] ?? AWAY.en;
    again.onclick = () => location.reload();
    target.replaceChildren(again);
    return;
  }
  mount(App, { target });
}

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the client");
void begin(target);
void registerWorker();
