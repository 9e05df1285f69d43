import { milliseconds, seconds } from "#base";
import { ApiError, badRequest } from "#machinery";
import type { Engine } from "./engine.ts";

const longestWait = seconds(3);
const pollEvery = milliseconds(20);

/** A resourceVersion as a number; none where it is not given. */
export function parseRevision(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!isRevision(text)) throw badRequest(`invalid resource version: ${badNumber(text)}`);
  return Number(text);
}

/** True for a text that a resourceVersion can be. */
export function isRevision(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

/** How Go complains of a resourceVersion that is no number. */
export function badNumber(text: string): string {
  const quoted = JSON.stringify(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
}

/** Waits a little for a revision that another server may have told the caller of; then gives up. */
export async function awaitRevision(engine: Engine, revision: number, signal?: AbortSignal): Promise<void> {
  const { clock, committer } = engine;
  const start = clock.elapsed();
  while (committer.published < revision) {
    if (clock.elapsed() - start >= longestWait) throw tooLarge(revision, committer.published);
    await clock.sleep(pollEvery, signal === undefined ? {} : { signal });
  }
}

function tooLarge(wanted: number, current: number): ApiError {
  return new ApiError({
    httpCode: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}
