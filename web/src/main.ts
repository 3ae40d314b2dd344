import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { applySettings } from "./state/settings.svelte.ts";

applySettings();

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the client");
mount(App, { target });
