import type { ListValue } from "./list.ts";
import type { MapValue } from "./map.ts";

/**
 * What an expression can compute. An int is a bigint and a double a number, so that the two never mix by accident.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | DurationValue
  | TimestampValue
  | TypeValue
  | OptionalValue
  | ListValue
  | MapValue
  | ObjectValue;

/** An error that an expression computed; the logical operators can absorb it, everything else hands it on. */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** What evaluating something gives. */
export type Result = Value | Failure;

/** An unsigned integer of 64 bits. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A span of time in nanoseconds. */
export class DurationValue {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A point in time, in nanoseconds since 1970, and the zone it was written in, which only shows when it is printed. */
export class TimestampValue {
  readonly nanoseconds: bigint;
  /** Minutes east of Greenwich. */
  readonly zone: number;

  constructor(nanoseconds: bigint, zone = 0) {
    this.nanoseconds = nanoseconds;
    this.zone = zone;
  }
}

/** A type as a value, such as `int` in `type(x) == int`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may be absent. */
export class OptionalValue {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }

  static readonly none = new OptionalValue(undefined);
}

/** A value of a library's own type, such as an IP address. */
export abstract class ObjectValue {
  /** As `type(x)` names it. */
  abstract readonly typeName: string;
  /** How big it counts where costs are computed. */
  readonly size: number = 1;

  abstract equals(other: ObjectValue): boolean;

  /** As string() prints it, where a library has that. */
  toString(): string {
    return this.typeName;
  }
}
