import type { Adapters } from "./adapter.ts";
import { cel } from "./cel.ts";
import { clusterClassVariables } from "./clusterclass-variables.ts";
import { conditions } from "./conditions.ts";
import { variableValidation } from "./variable-validation.ts";

/** The adapters of every file of vectors. */
export const adapters: Readonly<Record<string, Adapters>> = {
  "cel.json": cel,
  "clusterclass-variables.json": clusterClassVariables,
  "conditions-aggregate.json": conditions,
  "conditions-merge.json": conditions,
  "conditions-mirror.json": conditions,
  "conditions-set-patch.json": conditions,
  "conditions-summary.json": conditions,
  "conditions-unstructured.json": conditions,
  "variable-validation.json": variableValidation,
};
