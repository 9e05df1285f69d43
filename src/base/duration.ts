import { CapstanError } from "./errors.ts";

declare const durationBrand: unique symbol;

/** Milliseconds, possibly with a fraction. Made only by the functions below. */
export type Duration = number & { readonly [durationBrand]: "Duration" };

/** A text that Go's time.ParseDuration would refuse. */
export class InvalidDurationError extends CapstanError {
  readonly code = "INVALID_DURATION";
}

/** No time at all. */
export const noTime = milliseconds(0);

/** So many milliseconds. */
export function milliseconds(count: number): Duration {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where a number becomes a Duration
  return count as Duration;
}

/** So many seconds. */
export function seconds(count: number): Duration {
  return milliseconds(count * 1000);
}

/** So many minutes. */
export function minutes(count: number): Duration {
  return seconds(count * 60);
}

/** So many hours. */
export function hours(count: number): Duration {
  return minutes(count * 60);
}

const nanosecondsPer: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const longest = 9_223_372_036_854_775_807n;

/** Reads a duration as Go writes it, such as `1h30m`, `1.5s` or `-300ms`. */
export function parseDuration(text: string): Duration {
  const nanoseconds = parseNanoseconds(text);
  // Whole milliseconds stay exact; what is finer survives as a fraction.
  return milliseconds(Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6);
}

/** Reads a Go duration exactly, in nanoseconds. */
export function parseNanoseconds(text: string): bigint {
  const refuse = (why: string) => new InvalidDurationError(`time: ${why} ${quoteBytes(text)}`);
  const [, sign = "", body = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (body === "0") return 0n;
  if (body === "") throw refuse("invalid duration");
  let total = 0n;
  let rest = body;
  while (rest !== "") {
    const [all = "", whole = "", , fraction = ""] = /^(\d*)(\.(\d*))?/.exec(rest) ?? [];
    if (whole === "" && fraction === "") throw refuse("invalid duration");
    // Nothing with more digits fits, and a number of a million digits would take its time.
    if (whole.replace(/^0+/, "").length > 19) throw refuse("invalid duration");
    rest = rest.slice(all.length);
    const [unit = ""] = /^[^\d.]+/.exec(rest) ?? [];
    if (unit === "") throw refuse("missing unit in duration");
    const size = Object.hasOwn(nanosecondsPer, unit) ? nanosecondsPer[unit] : undefined;
    if (size === undefined) throw refuse(`unknown unit ${quoteBytes(unit)} in duration`);
    rest = rest.slice(unit.length);
    total += BigInt(whole === "" ? "0" : whole) * size;
    // Go drops what is finer than a nanosecond; eighteen digits are more than any unit needs.
    const digits = fraction.slice(0, 18);
    if (digits !== "") total += (BigInt(digits) * size) / 10n ** BigInt(digits.length);
    if (total > longest + 1n) throw refuse("invalid duration");
  }
  if (sign === "-") return -total;
  if (total > longest) throw refuse("invalid duration");
  return total;
}

/** Writes a duration as Go does: `300ms`, `10s`, `1m0s`, `1h0m0s`. */
export function formatDuration(duration: Duration): string {
  return formatNanoseconds(BigInt(Math.round(duration * 1e6)));
}

/** Writes an exact count of nanoseconds as a Go duration. */
export function formatNanoseconds(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const wholeMinutes = size / 60_000_000_000n;
  const inMinute = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (wholeMinutes === 0n) return `${sign}${inMinute}`;
  if (wholeMinutes < 60n) return `${sign}${wholeMinutes}m${inMinute}`;
  return `${sign}${wholeMinutes / 60n}h${wholeMinutes % 60n}m${inMinute}`;
}

function decimal(count: bigint, places: number): string {
  const unit = 10n ** BigInt(places);
  const fraction = String(count % unit)
    .padStart(places, "0")
    .replace(/0+$/, "");
  return fraction === "" ? String(count / unit) : `${count / unit}.${fraction}`;
}

/** Go quotes here byte by byte, unlike `%q`. */
function quoteBytes(text: string): string {
  const quoted = [...Buffer.from(text)].map((byte) => {
    if (byte >= 0x80 || byte < 0x20) return `\\x${byte.toString(16).padStart(2, "0")}`;
    const character = String.fromCharCode(byte);
    return character === '"' || character === "\\" ? `\\${character}` : character;
  });
  return `"${quoted.join("")}"`;
}
