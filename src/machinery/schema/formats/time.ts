import { InvalidDurationError, parseNanoseconds } from "#base";

const fullDate = /^\d{4}-\d\d-\d\d$/;
const plainTime = /^\d{4}-\d\d-\d\dT[0-2]\d:[0-5]\d:[0-5]\dZ$/;
const longMonths = [1, 3, 5, 7, 8, 10, 12];
const dayTime = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/;
const countAndUnit = /([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
const largestInt64 = 2n ** 63n - 1n;

// The last name of each unit also stands for every longer one: `sec` for `seconds`.
const units: readonly (readonly string[])[] = [
  ["ns", "nano"],
  ["us", "µs", "micro"],
  ["ms", "milli"],
  ["s", "sec"],
  ["m", "min"],
  ["h", "hr", "hour"],
  ["d", "day"],
  ["w", "wk", "week"],
];

/** A day of the calendar, as RFC 3339 writes it. */
export function isDate(text: string): boolean {
  return fullDate.test(text) && isDay(text);
}

/** True where a text that begins like `2006-01-02` names a day that exists. */
function isDay(text: string): boolean {
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (month < 1 || month > 12 || day < 1) return false;
  if (day <= 28) return true;
  if (month === 2) return day === 29 && isLeap(twoDigits(text, 0) * 100 + twoDigits(text, 2));
  return day <= (longMonths.includes(month) ? 31 : 30);
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

/** A time as the `date-time` format reads it; it looks no further than the second `t`. */
export function isDateTime(text: string): boolean {
  // Nearly all times are written like this, and this runs for every condition of every object.
  if (plainTime.test(text)) return isDay(text) && twoDigits(text, 11) <= 23;
  const [day = "", time] = text.toLowerCase().split("t");
  if (time === undefined || !isDate(day)) return false;
  const [, hour, minute, second] = dayTime.exec(time) ?? [];
  if (hour === undefined || minute === undefined || second === undefined) return false;
  return hour <= "23" && minute <= "59" && second <= "59";
}

/** A Go duration, or counts with written-out units such as `2 hours`. */
export function isLooseDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  let found = false;
  for (const [, count = "", unit = ""] of text.matchAll(countAndUnit)) {
    if (BigInt(count) > largestInt64) return false;
    found ||= units.some((names) => names.includes(unit.toLowerCase()) || startsWithLast(unit.toLowerCase(), names));
  }
  return found;
}

function startsWithLast(unit: string, names: readonly string[]): boolean {
  return unit.startsWith(names.at(-1) ?? unit);
}

function isGoDuration(text: string): boolean {
  try {
    parseNanoseconds(text);
    return true;
  } catch (error) {
    if (error instanceof InvalidDurationError) return false;
    throw error;
  }
}
