import { type FieldError, invalid, isJsonObject, type KubeObject } from "#machinery";
import type { ScalePaths } from "#apiserver/resources";

/** What keeps the scale of an object from being read, in the words of the real server. */
export function scaleProblems(
  object: KubeObject,
  { specReplicasPath, statusReplicasPath }: ScalePaths,
): readonly FieldError[] {
  return [specReplicasPath, statusReplicasPath].flatMap((path) => replicasProblem(object, path));
}

function replicasProblem(object: KubeObject, path: string): readonly FieldError[] {
  const segments = path.split(".").filter((segment) => segment !== "");
  let at: unknown = object;
  for (const segment of segments) {
    if (!isJsonObject(at)) return [accessorError(path, at, "map[string]interface{}")];
    if (!Object.hasOwn(at, segment)) return [];
    at = at[segment];
  }
  if (at === undefined || at === null) return [];
  if (typeof at !== "number" || !Number.isInteger(at)) return [accessorError(path, at, "int64")];
  if (at < 0) return [invalid(path, at, "should be a non-negative integer")];
  return at > 2 ** 31 - 1 ? [invalid(path, at, `should be less than or equal to ${2 ** 31 - 1}`)] : [];
}

function accessorError(path: string, value: unknown, expected: string): FieldError {
  const type =
    typeof value === "string"
      ? "string"
      : typeof value === "boolean"
        ? "bool"
        : typeof value === "number"
          ? "float64"
          : Array.isArray(value)
            ? "[]interface {}"
            : "map[string]interface {}";
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return invalid(path, 0, `${path} accessor error: ${shown} is of the type ${type}, expected ${expected}`);
}
