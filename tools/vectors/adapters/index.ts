import type { Adapters } from "./adapter.ts";
import { cel } from "./cel.ts";
import { conditions } from "./conditions.ts";
import { contract } from "./contract.ts";
import { external } from "./external.ts";

/** The adapters of every file of vectors. */
export const adapters: Readonly<Record<string, Adapters>> = {
  "cel.json": cel,
  "conditions-aggregate.json": conditions,
  "conditions-merge.json": conditions,
  "conditions-mirror.json": conditions,
  "conditions-set-patch.json": conditions,
  "conditions-summary.json": conditions,
  "conditions-unstructured.json": conditions,
  "contract.json": contract,
  "external.json": external,
};
