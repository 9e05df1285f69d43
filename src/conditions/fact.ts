import {
  type Duration,
  InvalidDurationError,
  InvalidTimestampError,
  milliseconds,
  parseDuration,
  parseTimestamp,
  quote,
  type Timestamp,
} from "#base";
import { isJsonObject } from "#machinery";
import { InvalidFactsError } from "./errors.ts";

/** Reads the value at some place of a facts file, or says what is wrong with it there. */
export type FactReader<T> = (value: unknown, at: string) => T;

/** Reads a field that may be left out. */
export interface OptionalFact<T> {
  readonly optional: FactReader<T>;
}

/** A reader for each field of a type. */
export type FactFields<T> = {
  readonly [Field in keyof T]-?: T extends Record<Field, T[Field]>
    ? FactReader<T[Field]>
    : OptionalFact<NonNullable<T[Field]>>;
};

const longestShown = 60;

/** Readers of the kinds of values that facts consist of; put together, they read whole facts. */
export const fact = { text, flag, count, time, duration, oneOf, list, object, byKind, optional };

function text(value: unknown, at: string): string {
  if (typeof value !== "string") throw refused(value, at, "a text");
  return value;
}

function flag(value: unknown, at: string): boolean {
  if (typeof value !== "boolean") throw refused(value, at, "true or false");
  return value;
}

function count(value: unknown, at: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw refused(value, at, "a whole number, 0 or more");
}

function time(value: unknown, at: string): Timestamp {
  try {
    return parseTimestamp(text(value, at));
  } catch (error) {
    if (!(error instanceof InvalidTimestampError || error instanceof InvalidFactsError)) throw error;
    throw refused(value, at, "a time such as 2025-01-15T12:00:00Z");
  }
}

/** A Go duration; a number is milliseconds, as facts hold them. */
function duration(value: unknown, at: string): Duration {
  if (typeof value === "number" && Number.isFinite(value)) return milliseconds(value);
  try {
    return parseDuration(text(value, at));
  } catch (error) {
    if (!(error instanceof InvalidDurationError || error instanceof InvalidFactsError)) throw error;
    throw refused(value, at, "a duration such as 5m");
  }
}

function oneOf<const T extends string>(...values: readonly T[]): FactReader<T> {
  return (value, at) => {
    const found = values.find((each) => each === value);
    // YAML takes a bare True for a boolean.
    const hint = typeof value === "boolean" ? " (in quotes)" : "";
    if (found === undefined) throw refused(value, at, `one of ${values.join(", ")}${hint}`);
    return found;
  };
}

function list<T>(reader: FactReader<T>): FactReader<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw refused(value, at, "a list");
    return value.map((item: unknown, index) => reader(item, `${at}[${index}]`));
  };
}

/** An object with these fields and no others. */
function object<T extends object>(fields: FactFields<T>): FactReader<T> {
  const readers = readersOf(fields);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- FactFields has a reader for each field of the type
  return (value, at) => readFields(readers, value, at) as T;
}

/** One of several kinds of objects, told apart by `kind`. */
function byKind<T extends { readonly kind: string }>(kinds: {
  readonly [Kind in T["kind"]]: FactFields<Omit<Extract<T, { readonly kind: Kind }>, "kind">>;
}): FactReader<T> {
  const readers = new Map(Object.entries<object>(kinds).map(([kind, fields]) => [kind, readersOf(fields)]));
  const kindOf = oneOf(...readers.keys());
  return (value, at) => {
    if (!isJsonObject(value)) throw refused(value, at, "an object");
    const { kind: given, ...rest } = value;
    const kind = kindOf(given, `${at}.kind`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a kind and its fields make up the whole
    return { kind, ...readFields(readers.get(kind) ?? new Map(), rest, at) } as T;
  };
}

function optional<T>(reader: FactReader<T>): OptionalFact<T> {
  return { optional: reader };
}

type Readers = ReadonlyMap<string, FactReader<unknown> | OptionalFact<unknown>>;

function readersOf(fields: object): Readers {
  return new Map(Object.entries(fields));
}

function readFields(readers: Readers, value: unknown, at: string): object {
  if (!isJsonObject(value)) throw refused(value, at, "an object");
  const unknown = Object.keys(value).find((field) => !readers.has(field));
  if (unknown !== undefined) {
    const known = readers.size === 0 ? "none belong here" : `there are ${[...readers.keys()].join(", ")}`;
    throw new InvalidFactsError(`${at}.${unknown} is not known: ${known}`);
  }
  const read: [string, unknown][] = [];
  for (const [field, reader] of readers) {
    const own = Object.hasOwn(value, field) ? value[field] : undefined;
    if (typeof reader === "function") read.push([field, reader(own, `${at}.${field}`)]);
    else if (!isLeftOut(own)) read.push([field, reader.optional(own, `${at}.${field}`)]);
  }
  return Object.fromEntries(read);
}

/** An empty text is how people write that there is none. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function refused(value: unknown, at: string, wanted: string): InvalidFactsError {
  if (value === undefined) return new InvalidFactsError(`${at} is missing: it must be ${wanted}`);
  return new InvalidFactsError(`${at} must be ${wanted}, not ${shown(value)}`);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isJsonObject(value)) return "an object";
  return typeof value === "string"
    ? quote(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value)
    : String(value);
}
