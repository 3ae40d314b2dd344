/** Who plays in this browser: a guest with a name, kept by the server's cookie. */
import { untrack } from "svelte";
import { language } from "../i18n/index.svelte.ts";
import { ApiError, call } from "../net/api.ts";
import type { SignedIn, User } from "../net/protocol.ts";
import { changeSettings, settings } from "./settings.svelte.ts";

export const session = $state<{ user: User | undefined }>({ user: undefined });

let asking: Promise<User> | undefined;

/**
 * The user of this browser, signed in as a guest where there is none yet.
 *
 * @throws ApiError if the server cannot be reached or refuses.
 */
export function signIn(fallback: string): Promise<User> {
  // An effect that signs in must not run again because it has.
  asking ??= untrack(() => find(fallback)).finally(() => {
    asking = undefined;
  });
  return asking;
}

async function find(fallback: string): Promise<User> {
  if (session.user) return session.user;
  try {
    session.user = await call<User>("GET", "/api/v1/me");
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const body = { name: settings.name || fallback, language: language() };
    session.user = (await call<SignedIn>("POST", "/api/v1/session", { body })).user;
  }
  if (session.user.language !== language()) await changeUser({ language: language() });
  return session.user;
}

/** Changes name or language at the server; the name is kept here too. */
export async function changeUser(changes: { name?: string; language?: string }): Promise<void> {
  if (changes.name !== undefined) changeSettings({ name: changes.name });
  if (!session.user) return;
  session.user = await call<User>("PATCH", "/api/v1/me", { body: changes });
}

/** Forgets what is known here, as after the server no longer knows the cookie. */
export function forgetSession(): void {
  session.user = undefined;
}
