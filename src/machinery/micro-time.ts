import { InvalidTimestampError, parseInstant, quote } from "#base";

declare const microTimeBrand: unique symbol;

/** RFC 3339 in UTC with exactly six digits of a second, as Leases and Events carry it: two of them compare as text. */
export type MicroTime = string & { readonly [microTimeBrand]: "MicroTime" };

const form = /^(.{19})\.(\d{6})(Z|[+-]\d\d:\d\d)$/;

/** The microsecond in which an instant lies, given in milliseconds since 1970, possibly with a fraction. */
export function microTimeOf(epochMilliseconds: number): MicroTime {
  const whole = Math.floor(epochMilliseconds);
  const micros = Math.floor((epochMilliseconds - whole) * 1000);
  const text = new Date(whole).toISOString().slice(0, -1);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of two places where a text becomes a MicroTime
  return `${text}${String(micros).padStart(3, "0")}Z` as MicroTime;
}

/** Reads a time with exactly six digits of a second, in whatever zone, as kube-apiserver does. */
export function parseMicroTime(text: string): MicroTime {
  const [, seconds, micros, zone] = form.exec(text) ?? [];
  if (seconds === undefined || micros === undefined) throw refused(text);
  try {
    const whole = new Date(parseInstant(`${seconds}${zone}`)).toISOString().slice(0, -"000Z".length);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of two places where a text becomes a MicroTime
    return `${whole}${micros}Z` as MicroTime;
  } catch (error) {
    throw error instanceof InvalidTimestampError ? refused(text) : error;
  }
}

/** Milliseconds since 1970, with a fraction for what is finer. */
export function instantOfMicroTime(time: MicroTime): number {
  return Date.parse(`${time.slice(0, -"000Z".length)}Z`) + Number(time.slice(-"000Z".length, -1)) / 1000;
}

function refused(text: string): InvalidTimestampError {
  const layout = "2006-01-02T15:04:05.000000Z07:00";
  return new InvalidTimestampError(`parsing time ${quote(text)} as "${layout}": not a time with microseconds`);
}
