import {
  deepEqual,
  fieldAt,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  type Json,
  type KubeObject,
  notSupported,
  required,
} from "#machinery";
import type { ResourceBehaviour } from "#apiserver/resources";
import { listAt, objectAt, textAt } from "../object-fields.ts";

/** What is wrong with an object. */
export type Check = (object: KubeObject) => readonly FieldError[];

/** What is wrong with a change. */
export type ChangeCheck = (object: KubeObject, old: KubeObject) => readonly FieldError[];

/** The rules of a kind put together from small ones. */
export function checked(
  checks: readonly Check[],
  changes: readonly ChangeCheck[] = [],
): Pick<Required<ResourceBehaviour>, "validate" | "validateUpdate"> {
  const validate: Check = (object) => checks.flatMap((check) => check(object));
  return {
    validate,
    validateUpdate: (object, old) => [...changes.flatMap((check) => check(object, old)), ...validate(object)],
  };
}

/** There has to be something at a path such as `spec.schedule`. */
export function needs(path: string, detail?: string): Check {
  return (object) => (isEmpty(object, path) ? [required(pathOf(path), detail)] : []);
}

/** The text at a path has to be one of these. */
export function among(path: string, values: readonly string[]): Check {
  return (object) => {
    const value = textAt(object, ...path.split("."));
    return values.includes(value) ? [] : [notSupported(pathOf(path), value, values)];
  };
}

/** The text at a path has to be spelled in a certain way. */
export function spelled(path: string, problems: (text: string) => readonly string[]): Check {
  return (object) => {
    const value = textAt(object, ...path.split("."));
    return problems(value).map((why) => invalid(pathOf(path), value, why));
  };
}

/** What is at a path stays as it is. */
export function fixed(path: string): ChangeCheck {
  return (object, old) =>
    isSame(object, old, path) ? [] : [invalid(pathOf(path), valueAt(object, path), "field is immutable")];
}

/** What is at a path stays as it is, and the refusal says so in its own words. */
export function closed(path: string, detail: string): ChangeCheck {
  return (object, old) => (isSame(object, old, path) ? [] : [forbidden(pathOf(path), detail)]);
}

function isSame(object: KubeObject, old: KubeObject, path: string): boolean {
  return deepEqual(valueAt(object, path), valueAt(old, path));
}

function isEmpty(object: KubeObject, path: string): boolean {
  const steps = path.split(".");
  const value = fieldAt(object, ...steps);
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return listAt(object, ...steps).length === 0;
  return typeof value === "object" && Object.keys(objectAt(object, ...steps)).length === 0;
}

function valueAt(object: KubeObject, path: string): Json {
  const value = fieldAt(object, ...path.split("."));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what lies inside an object of the API is JSON
  return value === undefined ? null : (value as Json);
}

function pathOf(path: string): FieldPath {
  return FieldPath.of(...path.split("."));
}
