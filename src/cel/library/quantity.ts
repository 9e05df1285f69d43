import { type FunctionDeclaration, method, overload } from "../check/declaration.ts";
import { boolType, doubleType, intType, structType, type Type } from "../check/type.ts";
import { Failure, ObjectValue, type Result } from "../values/value.ts";
import { instance, int, string } from "./kinds.ts";

const billion = 1_000_000_000n;
const largestInt = 2n ** 63n - 1n;
// Bigger exponents mean nothing to anybody and would take for ever to compute.
const largestExponent = 10_000;

/** An amount such as `1.5Gi`, exact to the billionth. */
export class Quantity extends ObjectValue {
  readonly typeName = "kubernetes.Quantity";
  readonly billionths: bigint;
  /** The value as an integer, where Kubernetes counts it as one: `1k` is, `1000m` is not. */
  readonly integer: bigint | undefined;

  constructor(billionths: bigint, integer: bigint | undefined) {
    super();
    this.billionths = billionths;
    this.integer = integer;
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Quantity && other.billionths === this.billionths;
  }

  compare(other: Quantity): number {
    if (this.billionths === other.billionths) return 0;
    return this.billionths < other.billionths ? -1 : 1;
  }

  plus(other: Quantity): Quantity {
    const isInteger = this.integer !== undefined && other.integer !== undefined;
    return new Quantity(
      this.billionths + other.billionths,
      isInteger ? asInt((this.integer ?? 0n) + (other.integer ?? 0n)) : undefined,
    );
  }

  negated(): Quantity {
    return new Quantity(-this.billionths, this.integer === undefined ? undefined : -this.integer);
  }
}

export const quantityType: Type = structType("kubernetes.Quantity");

const quantity = instance(quantityType, Quantity);

/** Amounts of resources. */
export const quantities: readonly FunctionDeclaration[] = [
  {
    name: "quantity",
    overloads: [overload({ id: "string_to_quantity", parameters: [string], result: quantityType, run: parseQuantity })],
  },
  {
    name: "isQuantity",
    overloads: [
      overload({
        id: "is_quantity_string",
        parameters: [string],
        result: boolType,
        run: (text) => !(parseQuantity(text) instanceof Failure),
      }),
    ],
  },
  {
    name: "sign",
    overloads: [
      overload({
        id: "quantity_sign",
        parameters: [quantity],
        result: intType,
        run: ({ billionths }) => (billionths === 0n ? 0n : billionths < 0n ? -1n : 1n),
      }),
    ],
  },
  {
    name: "isGreaterThan",
    overloads: [
      method({
        id: "quantity_is_greater_than",
        parameters: [quantity, quantity],
        result: boolType,
        run: (a, b) => a.compare(b) > 0,
      }),
    ],
  },
  {
    name: "isLessThan",
    overloads: [
      method({
        id: "quantity_is_less_than",
        parameters: [quantity, quantity],
        result: boolType,
        run: (a, b) => a.compare(b) < 0,
      }),
    ],
  },
  {
    name: "compareTo",
    overloads: [
      method({
        id: "quantity_compare_to",
        parameters: [quantity, quantity],
        result: intType,
        run: (a, b) => BigInt(a.compare(b)),
      }),
    ],
  },
  {
    name: "asApproximateFloat",
    overloads: [
      method({ id: "quantity_get_float", parameters: [quantity], result: doubleType, run: approximateFloat }),
    ],
  },
  {
    name: "asInteger",
    overloads: [
      method({
        id: "quantity_get_int",
        parameters: [quantity],
        result: intType,
        run: ({ integer }): Result => integer ?? new Failure("cannot convert value to integer"),
      }),
    ],
  },
  {
    name: "isInteger",
    overloads: [
      method({
        id: "quantity_is_integer",
        parameters: [quantity],
        result: boolType,
        run: ({ integer }) => integer !== undefined,
      }),
    ],
  },
  {
    name: "add",
    overloads: [
      method({
        id: "quantity_add",
        parameters: [quantity, quantity],
        result: quantityType,
        run: (a, b) => a.plus(b),
      }),
      method({
        id: "quantity_add_int",
        parameters: [quantity, int],
        result: quantityType,
        run: (a, b) => a.plus(new Quantity(b * billion, b)),
      }),
    ],
  },
  {
    name: "sub",
    overloads: [
      method({
        id: "quantity_sub",
        parameters: [quantity, quantity],
        result: quantityType,
        run: (a, b) => a.plus(b.negated()),
      }),
      method({
        id: "quantity_sub_int",
        parameters: [quantity, int],
        result: quantityType,
        run: (a, b) => a.plus(new Quantity(-b * billion, -b)),
      }),
    ],
  },
];

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryExponents: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Reads an amount; what is finer than a billionth is rounded away from zero. */
export function parseQuantity(text: string): Quantity | Failure {
  const [, sign = "", whole = "", fraction = "", suffix = ""] =
    /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*(?:[-+]?\d*))$/.exec(text) ?? [];
  if (whole + fraction === "" || !/^[eEinumkKMGTP]*[-+]?\d*$/.test(suffix)) {
    return new Failure("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  const significant = whole.replace(/^0+(?=\d)/, "").length + fraction.length;
  const binary = binaryExponents[suffix];
  if (binary !== undefined) {
    const billionths = scaled(digits * 2n ** BigInt(binary), -fraction.length);
    const room = 15 - significant - Math.floor((binary * 3) / 10) - 1;
    const isExact = fraction === "" && room >= 0;
    return new Quantity(billionths, isExact ? asInt(digits * 2n ** BigInt(binary)) : undefined);
  }
  const exponent = decimalExponent(suffix);
  if (exponent === undefined) return new Failure("unable to parse quantity's suffix");
  const scale = exponent - fraction.length;
  const isExact = significant <= 18 && scale >= 0;
  return new Quantity(scaled(digits, scale), isExact ? asInt(digits * 10n ** BigInt(scale)) : undefined);
}

function decimalExponent(suffix: string): number | undefined {
  const named = decimalExponents[suffix];
  if (named !== undefined) return named;
  const [, exponent] = /^[eE]([-+]?\d+)$/.exec(suffix) ?? [];
  if (exponent === undefined) return undefined;
  return Math.max(-largestExponent, Math.min(largestExponent, Number(exponent)));
}

function scaled(digits: bigint, scale: number): bigint {
  const shift = scale + 9;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const rest = digits % divisor;
  const rounding = rest === 0n ? 0n : digits < 0n ? -1n : 1n;
  return digits / divisor + rounding;
}

function asInt(value: bigint): bigint | undefined {
  return value <= largestInt && value >= -largestInt ? value : undefined;
}

/** The double nearest to the decimal number; dividing two doubles would round twice. */
function approximateFloat({ billionths }: Quantity): number {
  return Number(`${billionths}e-9`);
}
