/** Short sentences for the eye (toasts) and for the ear (a live region). */

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "good" | "bad";
}

export const toasts = $state<Toast[]>([]);
export const spoken = $state({ polite: "", urgent: "" });

let count = 0;

/** Shows a sentence for a while, and says it; the same sentence is not shown twice at once. */
export function toast(text: string, tone: Toast["tone"] = "plain", milliseconds = 5200): void {
  announce(text, tone === "bad");
  if (toasts.some((shown) => shown.text === text)) return;
  count += 1;
  const id = count;
  toasts.push({ id, text, tone });
  if (toasts.length > 3) toasts.shift();
  setTimeout(() => dropToast(id), milliseconds);
}

export function dropToast(id: number): void {
  const place = toasts.findIndex((shown) => shown.id === id);
  if (place >= 0) toasts.splice(place, 1);
}

let queued: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something through a screen reader; sentences that come together are said together. */
export function announce(text: string, urgent = false): void {
  if (!text) return;
  if (urgent) {
    // The same words again would not be a change, and would not be heard.
    spoken.urgent = spoken.urgent === text ? `${text}\u00a0` : text;
    return;
  }
  queued.push(text);
  clearTimeout(timer);
  timer = setTimeout(() => {
    const all = queued.join(" ");
    spoken.polite = spoken.polite === all ? `${all}\u00a0` : all;
    queued = [];
  }, 120);
}
