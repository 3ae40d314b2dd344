/** What went wrong with a request, as a sentence. */
import { maybe, t } from "../i18n/index.svelte.ts";
import { ApiError } from "../net/api.ts";

/** The server's own sentence where there is one. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return t("net.strange");
  return error.sentence || (maybe(`net.${error.code.replace(/^net\./, "")}`) ?? t("net.strange"));
}
