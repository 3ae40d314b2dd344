/** Requests to the server: JSON in and out, errors as codes with fields. */

/** What the server refused, or that it could not be reached (`net.unreachable`). */
export class ApiError extends Error {
  readonly code: string;
  readonly fields: Record<string, unknown>;
  readonly status: number;
  /** The server's own sentence, in the language that was asked for. */
  readonly sentence: string;

  constructor(code: string, fields: Record<string, unknown>, status: number, sentence = "") {
    super(sentence || code);
    this.code = code;
    this.fields = fields;
    this.status = status;
    this.sentence = sentence;
  }
}

export interface CallOptions {
  body?: unknown;
  /** Makes repeating the call harmless: the same key is the same command. */
  key?: string;
  signal?: AbortSignal;
}

/** A fresh idempotency key. */
export function newKey(): string {
  // Only secure contexts have randomUUID; a home network's address is none.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Calls the server.
 *
 * @throws ApiError for a refusal, and with code `net.unreachable` if there was no answer.
 */
export async function call<Answer>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const headers: Record<string, string> = {
    Accept: "application/json",
    "Accept-Language": document.documentElement.lang || "en",
  };
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.key) headers["Idempotency-Key"] = options.key;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      credentials: "same-origin",
      signal: options.signal,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError("net.unreachable", {}, 0);
  }
  if (response.status === 204) return undefined as Answer;
  const data: unknown = await response.json().catch(() => undefined);
  if (response.ok) return data as Answer;
  throw readError(data, response.status);
}

function readError(data: unknown, status: number): ApiError {
  if (isRecord(data) && typeof data.code === "string") {
    const sentence = typeof data.message === "string" ? data.message : "";
    return new ApiError(data.code, isRecord(data.fields) ? data.fields : {}, status, sentence);
  }
  return new ApiError(status >= 500 ? "net.server" : "net.refused", { status }, status);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
