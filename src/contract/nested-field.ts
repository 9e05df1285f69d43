import {
  asJson,
  goText,
  goTypeName,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  member,
} from "#machinery";
import { type ContractPath, pathText } from "./contract-path.ts";
import { FieldTypeError } from "./errors.ts";

/** The text at a path; undefined where nothing is there. Anything but a text, null included, is an error. */
export function nestedText(object: KubeObject, path: ContractPath): string | undefined {
  const value = nestedField(object, path);
  if (value === undefined || typeof value === "string") return value;
  throw wrongType(`.${pathText(path)}`, value, "string");
}

/** The boolean at a path; undefined where nothing is there. */
export function nestedFlag(object: KubeObject, path: ContractPath): boolean | undefined {
  const value = nestedField(object, path);
  if (value === undefined || typeof value === "boolean") return value;
  throw wrongType(`.${pathText(path)}`, value, "bool");
}

/** What is at a path; undefined where it or something above it is not there, or where something above it is null. */
export function nestedField(object: KubeObject, path: ContractPath): Json | undefined {
  let at: Json | undefined = asJson(object);
  for (const [index, name] of path.entries()) {
    if (at === undefined || at === null) return undefined;
    if (!isJsonObject(at)) throw wrongType(`.${pathText(path.slice(0, index + 1))}`, at, "map[string]interface{}");
    at = member(at, name);
  }
  return at;
}

/** The object with another value at a path, or with none. What lies above is made where it is not there. */
export function withNestedField(object: KubeObject, path: ContractPath, value: Json | undefined): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays one, whatever a field below it holds
  return replaced(asJson(object), path, value) as unknown as KubeObject;

  function replaced(parent: JsonObject, [name = "", ...rest]: ContractPath, put: Json | undefined): JsonObject {
    const { [name]: current, ...others } = parent;
    if (rest.length === 0) return put === undefined ? others : { ...parent, [name]: put };
    if (current === undefined) return put === undefined ? parent : { ...parent, [name]: replaced({}, rest, put) };
    if (isJsonObject(current)) return { ...parent, [name]: replaced(current, rest, put) };
    if (put === undefined) return parent;
    const above = pathText(path.slice(0, path.length - rest.length));
    throw new FieldTypeError(`value cannot be set because .${above} is not a map[string]interface{}`);
  }
}

/** What a value of the wrong type is called, in Go's names of types. */
export function wrongType(at: string, value: Json, expected: string): FieldTypeError {
  return new FieldTypeError(
    `${at} accessor error: ${goText(value)} is of the type ${goTypeName(value)}, expected ${expected}`,
  );
}
