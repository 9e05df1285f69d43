import {
  compileSchema,
  describeFieldErrors,
  type Field,
  type Fields,
  isJsonObject,
  type Json,
  type JsonObject,
  type MembersOf,
  s,
} from "#machinery";
import type { ResponseOf } from "../catalog/hook.ts";
import type { DiscoverVariables } from "../catalog/topology-hooks.ts";
import { InvalidVariablesError } from "../errors.ts";

/** A variable and its value, as questions carry them. */
export interface VariableValue {
  readonly name: string;
  readonly value: Json;
}

/** Variables of an extension, written once: what is discovered, and the types of the values. */
export interface Variables<Values> {
  /** For the answer to DiscoverVariables. */
  readonly definitions: ResponseOf<typeof DiscoverVariables>["variables"];
  /**
   * The values of these variables among all that a question carries; where two have one name the later wins. Throws an
   * InvalidVariablesError where a value does not fit, or a required one is not there.
   */
  read(values: readonly VariableValue[]): Values;
}

/** Defines the variables of an extension: `defineVariables({ httpProxy: s.string().describe("…").optional() })`. */
export function defineVariables<const F extends Fields>(fields: F): Variables<MembersOf<F>> {
  const schema = compileSchema(s.object(fields).schema(), { root: "value" });
  return {
    definitions: Object.entries<Field<unknown>>(fields).map(([name, field]) => ({
      name,
      required: !field.isOptional,
      schema: { openAPIV3Schema: asJson(variableSchema(field.schema())) },
    })),
    read(values) {
      const own = values.filter(({ name }) => Object.hasOwn(fields, name)).map(({ name, value }) => [name, value]);
      const read: JsonObject = Object.fromEntries(own);
      const errors = schema.validate(read);
      if (errors.length > 0)
        throw new InvalidVariablesError(`the variables do not fit: ${describeFieldErrors(errors)}`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all values were just checked against their schema
      return read as unknown as MembersOf<F>;
    },
  };
}

/** How lists are merged is no business of variables, whose values are always written whole. */
const unknownToVariables = ["x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"];

function variableSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(variableSchema);
  if (!isJsonObject(schema)) return schema;
  const known = Object.entries(schema).filter(([keyword]) => !unknownToVariables.includes(keyword));
  return Object.fromEntries(known.map(([keyword, value]) => [keyword, variableSchema(value)]));
}

function asJson(schema: unknown): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- schemas are JSON
  return schema as Json;
}
