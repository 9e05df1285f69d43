import { Failure } from "../values/value.ts";

const offset = /^([+-]?)(\d\d):(\d\d)$/;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The date whose UTC fields read as a clock in the zone reads: a name of the zone database, or `-02:30`. */
export function inZone(date: Date, zone: string): Date | Failure {
  if (zone === "" || zone === "UTC") return date;
  const [, sign, hours, minutes] = offset.exec(zone) ?? [];
  if (hours !== undefined) {
    const shift = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return new Date(date.getTime() + (sign === "-" ? -shift : shift));
  }
  const format = formatFor(zone);
  return format instanceof Failure ? format : wallClock(date, format);
}

function formatFor(zone: string): Intl.DateTimeFormat | Failure {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  // Offsets and abbreviations that only JavaScript knows are not in the zone database.
  if (!/^[A-Za-z]/.test(zone)) return unknownZone(zone);
  try {
    const format = new Intl.DateTimeFormat("en-US-u-ca-gregory", {
      timeZone: zone,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    if (formats.size < 1000) formats.set(zone, format);
    return format;
  } catch {
    return unknownZone(zone);
  }
}

function wallClock(date: Date, format: Intl.DateTimeFormat): Date {
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const year = parts.get("era") === "BC" ? 1 - number("year") : number("year");
  const clock = new Date(0);
  clock.setUTCFullYear(year, number("month") - 1, number("day"));
  clock.setUTCHours(number("hour"), number("minute"), number("second"), 0);
  return clock;
}

function unknownZone(zone: string): Failure {
  return new Failure(`unknown time zone ${zone}`);
}
