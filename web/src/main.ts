import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { registerWorker } from "./pwa/register.ts";
import { formatAddress } from "./router.ts";
import { applySettings } from "./state/settings.svelte.ts";

// Invitations are plain paths, which survive being typed and read aloud.
const invited = /^\/t\/([^/]+)/.exec(location.pathname);
if (invited) history.replaceState(null, "", `/${formatAddress(["join", invited[1]])}`);

applySettings();

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the client");
mount(App, { target });
void registerWorker();
