import { parseNanoseconds } from "#base";
import { DurationValue, Failure, TimestampValue } from "./value.ts";
import { timestampOfText } from "./time.ts";

/** True for a day such as `2024-02-29`. */
export function isDate(text: string): boolean {
  return dateOfText(text) !== undefined;
}

/** A day as the time at which it begins. */
export function dateOfText(text: string): TimestampValue | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? timestampOfText(`${text}T00:00:00Z`) : undefined;
}

const clock = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/;

/** True for what the formats of schemas count as a time. */
export function isDateTime(text: string): boolean {
  const [day = "", time] = text.toLowerCase().split("t");
  const [, hours = "99", minutes = "99", seconds = "99"] = clock.exec(time ?? "") ?? [];
  return isDate(day) && hours <= "23" && minutes <= "59" && seconds <= "59";
}

/** A time in one of the spellings that schemas allow; an empty text is the start of 1970. */
export function dateTimeOfText(text: string): TimestampValue | undefined {
  if (text === "") return new TimestampValue(0n);
  const zoned = text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");
  return timestampOfText(zoned) ?? timestampOfText(`${text}Z`);
}

const unit = /(\d+)\s*([A-Za-zµ]+)/g;
const nanosecondsOf: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns|nano.*)$/, 1n],
  [/^(?:us|µs|micro.*)$/, 1_000n],
  [/^(?:ms|milli.*)$/, 1_000_000n],
  [/^(?:s|sec.*)$/, 1_000_000_000n],
  [/^(?:m|min.*)$/, 60_000_000_000n],
  [/^(?:h|hr|hour.*)$/, 3_600_000_000_000n],
  [/^(?:d|day.*)$/, 86_400_000_000_000n],
  [/^(?:w|wk|week.*)$/, 604_800_000_000_000n],
];

/** A span as Go writes it, or in words such as `2 days`; only these know days and weeks. */
export function spanOfText(text: string): DurationValue | Failure {
  try {
    return new DurationValue(parseNanoseconds(text));
  } catch {
    return spanOfWords(text);
  }
}

function spanOfWords(text: string): DurationValue | Failure {
  let total = 0n;
  let isSpan = false;
  for (const [, count = "", name = ""] of text.matchAll(unit)) {
    const [, size] = nanosecondsOf.find(([pattern]) => pattern.test(name.toLowerCase())) ?? [];
    if (size === undefined) continue;
    isSpan = true;
    total += BigInt(count) * size;
  }
  return isSpan ? new DurationValue(BigInt.asIntN(64, total)) : new Failure(`unable to parse ${text} as duration`);
}
