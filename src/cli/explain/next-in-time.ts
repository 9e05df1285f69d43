import { after, InvalidTimestampError, parseDuration, parseTimestamp, seconds, type Timestamp } from "#base";
import type { LastPass } from "./situation.ts";

/** The longest that a manager's queue waits after a failure. */
const longestBackoff = seconds(1000);

/** What comes next after a pass, with the time of day where that can be told. */
export function nextInTime({ at, next }: Pick<LastPass, "at" | "next">): string {
  const time = timeIn(at);
  const [, delay, why] = /^requeueAfter (\S+): (.*)$/s.exec(next) ?? [];
  if (time !== undefined && delay !== undefined && why !== undefined)
    return `looks again at ${after(time, parseDuration(delay))}: ${why}`;
  const [, error] = /^retry with backoff: (.*)$/s.exec(next) ?? [];
  if (time !== undefined && error !== undefined)
    return `tried again with backoff, at the latest at ${after(time, longestBackoff)}: ${error}`;
  return next;
}

function timeIn(text: string): Timestamp | undefined {
  try {
    return parseTimestamp(text);
  } catch (error) {
    if (error instanceof InvalidTimestampError) return undefined;
    throw error;
  }
}
