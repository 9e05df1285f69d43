import { formatNanoseconds, parseNanoseconds } from "#base";
import { DurationValue, Failure, TimestampValue } from "./value.ts";

const second = 1_000_000_000n;
const longest = 2n ** 63n - 1n;
// From the first second of year 1 to the last one of year 9999.
const earliest = -62_135_596_800n * second;
const latest = 253_402_300_800n * second - 1n;

/** A span if it fits into 64 bits of nanoseconds. */
export function durationOf(nanoseconds: bigint): DurationValue | Failure {
  const fits = nanoseconds <= longest && nanoseconds >= -longest - 1n;
  return fits ? new DurationValue(nanoseconds) : new Failure("duration overflow");
}

/** A time if it lies in the years 1 to 9999. */
export function timestampOf(nanoseconds: bigint, zone = 0): TimestampValue | Failure {
  const fits = nanoseconds <= latest && nanoseconds >= earliest;
  return fits ? new TimestampValue(nanoseconds, zone) : new Failure("timestamp overflow");
}

export function durationOfText(text: string): DurationValue | undefined {
  try {
    return new DurationValue(parseNanoseconds(text));
  } catch {
    return undefined;
  }
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Reads an RFC 3339 time to the nanosecond. */
export function timestampOfText(text: string): TimestampValue | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, whole, fraction = "", sign, zoneHour = "0", zoneMinute = "0"] = match;
  const seconds = secondsOf([year, month, day, hour, minute, whole].map(Number));
  if (seconds === undefined || Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === "-" ? -1 : 1);
  const nanoseconds = BigInt(seconds - zone * 60) * second + BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  const time = timestampOf(nanoseconds, zone);
  return time instanceof Failure ? undefined : time;
}

/** Seconds since 1970 of a date and time, undefined where the calendar has none such. */
function secondsOf(parts: readonly number[]): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, whole = 0] = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, whole, 0);
  const exists =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && whole < 60;
  return exists ? date.getTime() / 1000 : undefined;
}

/** A time as RFC 3339 in its zone, with as many digits of the second as it has. */
export function formatTimestamp({ nanoseconds, zone }: TimestampValue): string {
  const { seconds, rest } = split(nanoseconds);
  const text = new Date((Number(seconds) + zone * 60) * 1000).toISOString().slice(0, -5);
  // A year of five digits can only come from the zone; it is printed with what fits.
  const clock = text.startsWith("+") || text.startsWith("-") ? text.slice(3) : text;
  return `${clock}${fractionText(rest)}${zoneText(zone)}`;
}

function zoneText(zone: number): string {
  if (zone === 0) return "Z";
  const [hours, minutes] = [Math.trunc(Math.abs(zone) / 60), Math.abs(zone) % 60];
  return `${zone < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}

/** A span in seconds, such as `3601.5s`. */
export function formatSeconds({ nanoseconds }: DurationValue): string {
  const sign = nanoseconds < 0n ? "-" : "";
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return `${sign}${size / second}${fractionText(size % second)}s`;
}

/** A span as Go prints it, such as `1h0m1.5s`. */
export function formatSpan({ nanoseconds }: DurationValue): string {
  return formatNanoseconds(nanoseconds);
}

function fractionText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "";
  return `.${String(nanoseconds).padStart(9, "0").replace(/0+$/, "")}`;
}

/** Whole seconds, rounded down, and the nanoseconds beyond them. */
export function split(nanoseconds: bigint): { readonly seconds: bigint; readonly rest: bigint } {
  const rest = ((nanoseconds % second) + second) % second;
  return { seconds: (nanoseconds - rest) / second, rest };
}
