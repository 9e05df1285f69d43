import { deepEqual, type FieldError, FieldPath, forbidden, invalid, type KubeObject, tooLong } from "#machinery";
import { objectAt } from "../object-fields.ts";
import { decodedBytes, keyProblems, mostBytes, textBytes } from "./config-keys.ts";
import type { KindRules } from "./kind-rules.ts";

export const configMap: KindRules = {
  behaviour: {
    validate: contentProblems,
    validateUpdate: (object, old) => [
      ...frozenProblems(object, old, ["data", "binaryData"]),
      ...contentProblems(object),
    ],
  },
};

/** What is wrong with a change of something that says of itself that it does not change. */
export function frozenProblems(object: KubeObject, old: KubeObject, fields: readonly string[]): readonly FieldError[] {
  if (old["immutable"] !== true) return [];
  const changed = fields.filter((field) => !deepEqual(objectAt(object, field), objectAt(old, field)));
  return (object["immutable"] === true ? changed : ["immutable", ...changed]).map((field) =>
    forbidden(FieldPath.of(field), "field is immutable when `immutable` is set"),
  );
}

function contentProblems(object: KubeObject): readonly FieldError[] {
  const data = objectAt(object, "data");
  const binary = objectAt(object, "binaryData");
  const [dataPath, binaryPath] = [FieldPath.of("data"), FieldPath.of("binaryData")];
  const twice = Object.keys(data).filter((key) => Object.hasOwn(binary, key));
  return [
    ...keyProblems(data, dataPath),
    ...twice.map((key) => invalid(dataPath.key(key), key, "duplicate of key present in binaryData")),
    ...keyProblems(binary, binaryPath),
    ...(textBytes(data) + decodedBytes(binary) > mostBytes ? [tooLong("[]", mostBytes)] : []),
  ];
}
