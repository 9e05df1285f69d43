import type { Adapters } from "./adapter.ts";
import { cel } from "./cel.ts";
import { clusterCache } from "./cluster-cache.ts";
import { clusterClassVariables } from "./clusterclass-variables.ts";
import { conditions } from "./conditions.ts";
import { nodeHealthySummary, nodeReady } from "./node-conditions.ts";
import { nodeRef } from "./node-ref.ts";
import { rollingOut } from "./rolling-out.ts";
import { variableValidation } from "./variable-validation.ts";
import { contract } from "./contract.ts";
import { extensionConfigs } from "./extensionconfig.ts";
import { external } from "./external.ts";
import { runtimeDiscovery } from "./runtime-discovery.ts";

/** The adapters of every file of vectors. */
export const adapters: Readonly<Record<string, Adapters>> = {
  "cel.json": cel,
  "clustercache.json": clusterCache,
  "clusterclass-variables.json": clusterClassVariables,
  "conditions-aggregate.json": conditions,
  "conditions-merge.json": conditions,
  "conditions-mirror.json": conditions,
  "conditions-set-patch.json": conditions,
  "conditions-summary.json": conditions,
  "conditions-unstructured.json": conditions,
  "nodehealthy-summary.json": nodeHealthySummary,
  "nodeready.json": nodeReady,
  "noderef.json": nodeRef,
  "rollingout.json": rollingOut,
  "variable-validation.json": variableValidation,
  "contract.json": contract,
  "extensionconfig.json": extensionConfigs,
  "external.json": external,
  "runtime-discovery.json": runtimeDiscovery,
};
