import { addQuantities, compareQuantities, InvalidQuantityError, parseQuantity, type Quantity } from "#machinery";
import { type FunctionDeclaration, method, overload } from "../check/declaration.ts";
import { boolType, doubleType, intType, structType, type Type } from "../check/type.ts";
import { Failure, ObjectValue, type Result } from "../values/value.ts";
import { instance, int, string } from "./kinds.ts";

const billion = 1_000_000_000n;
const largestInt = 2n ** 63n - 1n;

/** An amount such as `1.5Gi`. */
export class QuantityValue extends ObjectValue {
  readonly typeName = "kubernetes.Quantity";
  readonly amount: Quantity;
  /** The value as an integer, where Kubernetes counts it as one: `1k` is, `1000m` is not. */
  readonly integer: bigint | undefined;

  constructor(amount: Quantity, integer: bigint | undefined) {
    super();
    this.amount = amount;
    this.integer = integer;
  }

  equals(other: ObjectValue): boolean {
    return other instanceof QuantityValue && this.compare(other) === 0;
  }

  compare(other: QuantityValue): number {
    return compareQuantities(this.amount, other.amount);
  }

  plus({ amount, integer }: QuantityValue): QuantityValue {
    const sum = addQuantities(this.amount, amount);
    return new QuantityValue(
      sum,
      this.integer === undefined || integer === undefined ? undefined : asInt(this.integer + integer),
    );
  }

  negated(): QuantityValue {
    const { nanos, format } = this.amount;
    return new QuantityValue({ nanos: -nanos, format }, this.integer === undefined ? undefined : -this.integer);
  }
}

export const quantityType: Type = structType("kubernetes.Quantity");

const quantity = instance(quantityType, QuantityValue);

/** Amounts of resources. */
export const quantities: readonly FunctionDeclaration[] = [
  {
    name: "quantity",
    overloads: [overload({ id: "string_to_quantity", parameters: [string], result: quantityType, run: quantityOf })],
  },
  {
    name: "isQuantity",
    overloads: [
      overload({
        id: "is_quantity_string",
        parameters: [string],
        result: boolType,
        run: (text) => !(quantityOf(text) instanceof Failure),
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
        run: ({ amount: { nanos } }) => (nanos === 0n ? 0n : nanos < 0n ? -1n : 1n),
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
        run: (a, b) => a.plus(wholeQuantity(b)),
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
        run: (a, b) => a.plus(wholeQuantity(-b)),
      }),
    ],
  },
];

function quantityOf(text: string): QuantityValue | Failure {
  try {
    return new QuantityValue(parseQuantity(text), integerOf(text));
  } catch (error) {
    if (error instanceof InvalidQuantityError) return new Failure(error.message);
    throw error;
  }
}

function wholeQuantity(value: bigint): QuantityValue {
  return new QuantityValue({ nanos: value * billion, format: "exponent" }, value);
}

const decimalExponents: Readonly<Record<string, number>> = { "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binaryExponents: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** The integer that a text spells in the short form that Kubernetes keeps: few digits, and no fraction left. */
function integerOf(text: string): bigint | undefined {
  const [, sign = "", whole = "", fraction = "", suffix = ""] = /^([+-]?)(\d*)(?:\.(\d*))?(.*)$/.exec(text) ?? [];
  const digits = BigInt(`${whole}${fraction}` || "0") * (sign === "-" ? -1n : 1n);
  const length = whole.replace(/^0+(?=\d)/, "").length + fraction.length;
  const binary = binaryExponents[suffix];
  if (binary !== undefined) {
    const isShort = fraction === "" && length <= 14 - Math.floor((binary * 3) / 10);
    return isShort ? asInt(digits * 2n ** BigInt(binary)) : undefined;
  }
  const [, exponent = Number.NaN] = /^[eE]([-+]?\d{1,4})$/.exec(suffix) ?? [];
  const scale = (decimalExponents[suffix] ?? Number(exponent)) - fraction.length;
  return length <= 18 && scale >= 0 ? asInt(digits * 10n ** BigInt(scale)) : undefined;
}

function asInt(value: bigint): bigint | undefined {
  return value <= largestInt && value >= -largestInt ? value : undefined;
}

/** The double nearest to the decimal number; dividing two doubles would round twice. */
function approximateFloat({ amount: { nanos } }: QuantityValue): number {
  return Number(`${nanos}e-9`);
}
