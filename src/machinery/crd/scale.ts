import { type FieldError, invalid } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { isInt64 } from "../schema/number.ts";
import { goText, goTypeName } from "./go-text.ts";
import type { ScalePaths } from "./definition.ts";

const mostReplicas = 2 ** 31 - 1;

/** What the scale subresource shows of an object. */
export interface Scale {
  readonly specReplicas: number | undefined;
  readonly statusReplicas: number | undefined;
  readonly selector: string | undefined;
}

/** Reads an object along its scale paths; what is missing or of another type is undefined. */
export function readScale(object: JsonObject, paths: ScalePaths): Scale {
  return {
    specReplicas: replicasAt(object, paths.specReplicasPath),
    statusReplicas: replicasAt(object, paths.statusReplicasPath),
    selector: textAt(object, paths.labelSelectorPath),
  };
}

/** What is wrong with the wanted replicas of an object; checked whenever the object itself is written. */
export function scaleSpecErrors(object: JsonObject, { specReplicasPath }: ScalePaths): readonly FieldError[] {
  return replicasErrors(object, specReplicasPath);
}

/** What is wrong with the replicas and the selector that an object reports; checked on writes of the status too. */
export function scaleStatusErrors(object: JsonObject, paths: ScalePaths): readonly FieldError[] {
  const { statusReplicasPath, labelSelectorPath } = paths;
  return [
    ...replicasErrors(object, statusReplicasPath),
    ...(labelSelectorPath === undefined ? [] : selectorErrors(object, labelSelectorPath)),
  ];
}

/** The object with other wanted replicas; fields on the way are made where they are missing. */
export function withReplicas(object: JsonObject, replicas: number, { specReplicasPath }: ScalePaths): JsonObject {
  return setAt(object, stepsOf(specReplicasPath), replicas);
}

function replicasErrors(object: JsonObject, path: string): readonly FieldError[] {
  const at = FieldPath.of(path);
  const found = valueAt(object, path);
  if (found.kind === "blocked") return [invalid(at, 0, found.why)];
  const { value } = found;
  if (value === undefined) return [];
  if (!isInt64(value)) return [invalid(at, 0, accessorError(path, value, "int64"))];
  if (value < 0) return [invalid(at, value, "should be a non-negative integer")];
  return value > mostReplicas ? [invalid(at, value, `should be less than or equal to ${mostReplicas}`)] : [];
}

function selectorErrors(object: JsonObject, path: string): readonly FieldError[] {
  const at = FieldPath.of(path);
  const found = valueAt(object, path);
  if (found.kind === "blocked") return [invalid(at, "", found.why)];
  const { value } = found;
  if (value === undefined || typeof value === "string") return [];
  return [invalid(at, "", accessorError(path, value, "string"))];
}

type Found =
  | { readonly kind: "found"; readonly value: Json | undefined }
  | { readonly kind: "blocked"; readonly why: string };

function valueAt(object: JsonObject, path: string): Found {
  const steps = stepsOf(path);
  let value: Json | undefined = object;
  for (const [index, step] of steps.entries()) {
    if (value === undefined || value === null) return { kind: "found", value: undefined };
    if (!isJsonObject(value)) {
      const walked = `.${steps.slice(0, index + 1).join(".")}`;
      return { kind: "blocked", why: accessorError(walked, value, "map[string]interface {}") };
    }
    value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return { kind: "found", value };
}

function accessorError(path: string, value: Json, expected: string): string {
  const at = path.startsWith(".") ? path : `.${path}`;
  return `${at} accessor error: ${goText(value)} is of the type ${goTypeName(value)}, expected ${expected}`;
}

function replicasAt(object: JsonObject, path: string): number | undefined {
  const found = valueAt(object, path);
  return found.kind === "found" && found.value !== undefined && isInt64(found.value) ? Number(found.value) : undefined;
}

function textAt(object: JsonObject, path: string | undefined): string | undefined {
  if (path === undefined || path === "") return undefined;
  const found = valueAt(object, path);
  return found.kind === "found" && typeof found.value === "string" ? found.value : undefined;
}

function stepsOf(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}

function setAt(object: JsonObject, [step, ...rest]: readonly string[], value: number): JsonObject {
  if (step === undefined) return object;
  const inside = Object.hasOwn(object, step) ? object[step] : undefined;
  const below = rest.length === 0 ? value : setAt(isJsonObject(inside) ? inside : {}, rest, value);
  return Object.fromEntries([...Object.entries(object), [step, below]]);
}
