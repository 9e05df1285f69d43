import { type Duration, milliseconds } from "./duration.ts";
import { CapstanError } from "./errors.ts";
import { quote } from "./quote.ts";

declare const timestampBrand: unique symbol;

/** RFC 3339 in UTC with whole seconds, as the API server stores it: two of them compare as text. */
export type Timestamp = string & { readonly [timestampBrand]: "Timestamp" };

/** A text that is not an RFC 3339 time. */
export class InvalidTimestampError extends CapstanError {
  readonly code = "INVALID_TIMESTAMP";
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

// Thousands of writes share a second, and the same few times are read again with every write.
let lastPrinted: { readonly second: number; readonly text: Timestamp } | undefined;
const lastRead = new Map<string, Timestamp>();
const mostRemembered = 500;
const longestRemembered = "2025-01-15T12:00:00.000000000+00:00".length;

/** The second in which an instant lies, given in milliseconds since 1970. */
export function timestampOf(epochMilliseconds: number): Timestamp {
  const second = Math.floor(epochMilliseconds / 1000);
  if (lastPrinted?.second === second) return lastPrinted.text;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where a text becomes a Timestamp
  const text = new Date(second * 1000).toISOString().replace(".000Z", "Z") as Timestamp;
  lastPrinted = { second, text };
  return text;
}

/** Reads any RFC 3339 time, whatever its zone, and drops the fraction of a second. */
export function parseTimestamp(text: string): Timestamp {
  const known = lastRead.get(text);
  if (known !== undefined) return known;
  const time = timestampOf(parseInstant(text));
  // A fraction may have a million digits.
  if (text.length > longestRemembered) return time;
  if (lastRead.size === mostRemembered) lastRead.clear();
  lastRead.set(text, time);
  return time;
}

/** Reads any RFC 3339 time as milliseconds since 1970. */
export function parseInstant(text: string): number {
  const match = rfc3339.exec(text);
  const [, year, month, day, hour, minute, second, fraction = "0", sign, zoneHour = "0", zoneMinute = "0"] =
    match ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, "0")));
  const exists =
    match !== null &&
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute) &&
    Number(second) < 60 &&
    Number(zoneHour) < 24 &&
    Number(zoneMinute) < 60;
  if (!exists)
    throw new InvalidTimestampError(`parsing time ${quote(text)} as "2006-01-02T15:04:05Z07:00": not an RFC 3339 time`);
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;
  return date.getTime() - (sign === "-" ? -offset : offset);
}

/** Milliseconds since 1970. */
export function instantOf(time: Timestamp): number {
  return Date.parse(time);
}

/** How long it is from one time to another; negative when the other one is earlier. */
export function between(from: Timestamp, to: Timestamp): Duration {
  return milliseconds(instantOf(to) - instantOf(from));
}

/** A time so much later. */
export function after(time: Timestamp, duration: Duration): Timestamp {
  return timestampOf(instantOf(time) + duration);
}

/** The latest of some times, any of which may be unknown. */
export function latest(...times: readonly (Timestamp | undefined)[]): Timestamp | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);
}
