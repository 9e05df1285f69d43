import { type Duration, formatDuration, parseDuration, parseTimestamp, type Timestamp } from "#base";
import { isJsonList, isJsonObject, type Json, type JsonObject, member } from "#machinery";
import { wrongType } from "./nested-field.ts";

/** How values of one type are read from JSON and written to it. */
export interface FieldType<Value> {
  /** Throws where the value has another type; `at` says where it stands. */
  read(value: Json, at: string): Value;
  write(value: Value): Json;
}

/** The type of the values that a field type reads. */
export type FieldValue<Type> = Type extends FieldType<infer Value> ? Value : never;

/** Text. */
export const text: FieldType<string> = {
  read(value, at) {
    if (typeof value === "string") return value;
    throw wrongType(at, value, "string");
  },
  write: (value) => value,
};

/** True or false. */
export const flag: FieldType<boolean> = {
  read(value, at) {
    if (typeof value === "boolean") return value;
    throw wrongType(at, value, "bool");
  },
  write: (value) => value,
};

/** A whole number. */
export const integer: FieldType<number> = {
  read(value, at) {
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    throw wrongType(at, value, "int64");
  },
  write: (value) => value,
};

/** A length of time, written as Go writes it. */
export const duration: FieldType<Duration> = {
  read: (value, at) => parseDuration(text.read(value, at)),
  write: formatDuration,
};

/** A point in time. */
export const time: FieldType<Timestamp> = {
  read: (value, at) => parseTimestamp(text.read(value, at)),
  write: (value) => value,
};

/** A text that is one of a few. */
export function oneOf<const Choice extends string>(choices: readonly Choice[]): FieldType<Choice> {
  return {
    read(value, at) {
      const found = choices.find((choice) => choice === value);
      if (found !== undefined) return found;
      throw wrongType(at, value, choices.join(" or "));
    },
    write: (value) => value,
  };
}

/** Texts by their names. */
export const textMap: FieldType<{ readonly [name: string]: string }> = {
  read(value, at) {
    if (!isJsonObject(value)) throw wrongType(at, value, "map[string]interface{}");
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, text.read(item, `${at}.${name}`)]));
  },
  write: (value) => value,
};

/** Values one after the other. */
export function listOf<Value>(item: FieldType<Value>): FieldType<readonly Value[]> {
  return {
    read(value, at) {
      if (!isJsonList(value)) throw wrongType(at, value, "[]interface{}");
      return value.map((one, index) => item.read(one, `${at}[${index}]`));
    },
    write: (values) => values.map((value) => item.write(value)),
  };
}

type FieldTypes = { readonly [name: string]: FieldType<unknown> };

type NoFields = { readonly [name in never]: never };

type RecordOf<Required extends FieldTypes, Optional extends FieldTypes> = {
  readonly [Name in keyof Required]: FieldValue<Required[Name]>;
} & { readonly [Name in keyof Optional]?: FieldValue<Optional[Name]> };

/** Fields that are there and fields that may be there; others are passed over. */
export function recordOf<Required extends FieldTypes, Optional extends FieldTypes = NoFields>(
  required: Required,
  optional?: Optional,
): FieldType<RecordOf<Required, Optional>> {
  const optionals: FieldTypes = optional ?? {};
  const types: FieldTypes = { ...required, ...optionals };
  return {
    read(value, at) {
      if (!isJsonObject(value)) throw wrongType(at, value, "map[string]interface{}");
      const entries = Object.entries(types).flatMap(([name, type]) => {
        const field = member(value, name) ?? null;
        if (field === null && Object.hasOwn(optionals, name)) return [];
        return [[name, type.read(field, `${at}.${name}`)] as const];
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field was read by the type of its name
      return Object.fromEntries(entries) as RecordOf<Required, Optional>;
    },
    write: (value) => written(types, value),
  };
}

function written(types: FieldTypes, value: object): JsonObject {
  return Object.fromEntries(
    Object.entries(types).flatMap(([name, type]) => {
      const field: unknown = Reflect.get(value, name);
      return field === undefined ? [] : [[name, type.write(field)] as const];
    }),
  );
}
