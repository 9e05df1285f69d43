import { CapstanError } from "#base";

/** An amount of something, exact to a billionth, and how it likes to be written. */
export interface Quantity {
  /** In billionths; what is finer was rounded away from zero. */
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

/** `1500m` and `1k`, `1Ki`, or `1e3`. */
export type QuantityFormat = "decimal" | "binary" | "exponent";

/** A text that is not a quantity, in the words of Kubernetes. */
export class InvalidQuantityError extends CapstanError {
  readonly code = "INVALID_QUANTITY";
}

const one = 1_000_000_000n;
const greatestInt64 = 2n ** 63n - 1n;

// Far beyond every use, and small enough to be computed at once.
const mostDigits = 10_000;
const mostExponent = 10_000;

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const binarySuffixes: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

const misspelt = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";
const wrongNumber = "unable to parse numeric part of quantity";

/** Reads a quantity such as `1500m`, `1.5Gi` or `2e3`. */
export function parseQuantity(text: string): Quantity {
  // Like Kubernetes this takes a number without any digit for zero. A suffix never begins with a digit, so that
  // there is one way only to read a long row of them.
  const match = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?)$/.exec(text);
  if (match === null || text === "") throw new InvalidQuantityError(misspelt);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  if (whole.length + fraction.length > mostDigits) throw new InvalidQuantityError(wrongNumber);
  const { format, factor, tens } = readSuffix(suffix);
  const digits = BigInt(whole + fraction || "0") * factor;
  const size = capped(scaled(digits, tens - fraction.length + 9), format);
  return { nanos: sign === "-" ? -size : size, format };
}

/** The quantity that a JSON number or text stands for. */
export function quantityFrom(value: string | number | bigint): Quantity {
  return parseQuantity(String(value));
}

/** Writes a quantity in the one form that is its own: no fraction, and the largest suffix that fits. */
export function printQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return "0";
  const isWhole = nanos % one === 0n;
  const isSmall = nanos > -1024n * one && nanos < 1024n * one;
  if (format === "binary" && isWhole && !isSmall) return printBinary(nanos / one);
  return printDecimal(nanos, format);
}

/** Negative where the first is less than the second, positive where it is more. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

/** The sum, written as the first of them unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** The difference, written as the first of them unless that is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, nanos: -b.nanos });
}

/** The smallest integer that is not less. */
export function wholeUnits({ nanos }: Quantity): bigint {
  return dividedUp(nanos, one);
}

/** The smallest number of thousandths that is not less. */
export function milliUnits({ nanos }: Quantity): bigint {
  return dividedUp(nanos, 1_000_000n);
}

interface Suffix {
  readonly format: QuantityFormat;
  readonly factor: bigint;
  /** The power of ten that the number is multiplied by. */
  readonly tens: number;
}

function readSuffix(suffix: string): Suffix {
  const tens = decimalSuffixes.get(suffix);
  if (tens !== undefined) return { format: "decimal", factor: 1n, tens };
  const power = binarySuffixes.indexOf(suffix);
  if (power > 0) return { format: "binary", factor: 1024n ** BigInt(power), tens: 0 };
  const [, exponent] = /^[eE]([+-]?\d+)$/.exec(suffix) ?? [];
  if (exponent === undefined || Math.abs(Number(exponent)) > mostExponent) throw new InvalidQuantityError(wrongSuffix);
  return { format: "exponent", factor: 1n, tens: Number(exponent) };
}

function scaled(digits: bigint, tens: number): bigint {
  return tens >= 0 ? digits * 10n ** BigInt(tens) : dividedUp(digits, 10n ** BigInt(-tens));
}

/** Kubernetes holds binary quantities, and only those, to what fits into 64 bits. */
function capped(nanos: bigint, format: QuantityFormat): bigint {
  const most = greatestInt64 * one;
  return format === "binary" && nanos > most ? most : nanos;
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend > 0n && dividend % divisor !== 0n ? quotient + 1n : quotient;
}

function printBinary(units: bigint): string {
  let [number, power] = [units, 0];
  for (; power < binarySuffixes.length - 1 && number % 1024n === 0n; power++) number /= 1024n;
  return `${number}${binarySuffixes[power]}`;
}

function printDecimal(nanos: bigint, format: QuantityFormat): string {
  const greatest = format === "exponent" ? Infinity : 18;
  let [number, tens] = [nanos, -9];
  for (; tens < greatest && number % 1000n === 0n; tens += 3) number /= 1000n;
  if (format === "exponent") return tens === 0 ? String(number) : `${number}e${tens}`;
  const [suffix = ""] = [...decimalSuffixes].find(([, value]) => value === tens) ?? [];
  return `${number}${suffix}`;
}
