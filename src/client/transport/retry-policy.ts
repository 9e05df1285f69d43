import { type Clock, type Duration, milliseconds, seconds } from "#base";
import { ConnectionError } from "../errors.ts";
import { headerText, type WireAnswer } from "../wire/wire.ts";

/** How often and how patiently a request is sent again. */
export interface RetryLimits {
  /** How often a request is sent at most while the server asks to come back later. */
  readonly attempts?: number;
  /** How often a request is sent at most while connections fail. */
  readonly connectionAttempts?: number;
  /** A server that asks for more than this is not waited for: the caller gets its refusal. */
  readonly longestWait?: Duration;
}

/** The limits unless told: those of Kubernetes' own clients, and half a minute. */
export const defaultRetries: Required<RetryLimits> = {
  attempts: 10,
  connectionAttempts: 3,
  longestWait: seconds(30),
};

/** True where sending a request again cannot do anything twice. */
export function isSafeToResend(method: string, error: unknown): boolean {
  return error instanceof ConnectionError && (!error.mayHaveArrived || method === "GET");
}

/** How long the server asks to be left alone; undefined where it does not ask. */
export function retryAfter({ status, headers }: WireAnswer, clock: Clock): Duration | undefined {
  // Other refusals with this header may come after work was done, or would come again.
  if (status !== 429 && status !== 503) return undefined;
  const text = headerText(headers, "retry-after")?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+$/.test(text)) return seconds(Number(text));
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : milliseconds(Math.max(0, date - clock.instant()));
}
