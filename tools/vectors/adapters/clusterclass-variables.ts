import type { ClusterClass, ExtensionConfig } from "#api";
import { ContextError, describeError, parseTimestamp } from "#base";
import { type Condition, conditionOf, decide, setCondition } from "#conditions";
import { type JsonObject, keyOf, type KubeObject, namespacedName } from "#machinery";
import {
  type ClassFacts,
  classesUsing,
  deprecatedConditions,
  type DiscoverVariablesAnswer,
  type DiscoverVariablesCall,
  gatherVariables,
  VariablesReady,
} from "#reconcilers/clusterclass";
import { convertVariable, readV1Beta1Variable, readV1Beta2Variable } from "#topology";
import type { AdapterContext, Adapters } from "./adapter.ts";
import { classStore } from "./class-store.ts";
import { recorded } from "./recorded.ts";
import { celVersionOf } from "./variable-validation.ts";

/** How a ClusterClass comes by its variables. */
export const clusterClassVariables: Adapters = {
  reconcileVariables: recorded(reconcileVariables),

  extensionConfigToClusterClass: recorded(async ({ extensionConfig, objects }: RecordedMapping) => {
    const { reader } = classStore(objects);
    const keys = await classesUsing(extensionConfig, { reader, signal: new AbortController().signal });
    return { requests: keys.map(namespacedName) };
  }),

  convertVariableV1Beta1ToV1Beta2: recorded(({ variable }: { readonly variable: JsonObject }) => ({
    converted: convertVariable(variable),
    normalized: readV1Beta1Variable(variable),
    error: null,
  })),
};

interface RecordedDiscovery extends RecordedExtensions {
  readonly clusterClass: ClusterClass;
  readonly celCompatibilityVersion?: string;
}

/** The extensions of a case, and whether they are asked. */
export interface RecordedExtensions {
  readonly runtimeSDK: boolean;
  readonly extensions?: {
    readonly [handler: string]: { readonly error?: string; readonly response?: DiscoverVariablesAnswer };
  };
}

interface RecordedMapping {
  readonly extensionConfig: ExtensionConfig;
  readonly objects: readonly KubeObject[];
}

async function reconcileVariables(input: RecordedDiscovery, context: AdapterContext): Promise<unknown> {
  const { clusterClass, runtimeSDK, celCompatibilityVersion } = input;
  const { calls, discoverVariables } = recordedExtensions(input);
  const { signal } = new AbortController();
  const ports = { runtimeSDK, discoverVariables, ...readerFor(context), ...celVersionOf(celCompatibilityVersion) };
  const gathered = await gatherVariables(clusterClass, ports, { signal });
  const { metadata, status } = clusterClass;
  const facts: ClassFacts = {
    className: metadata.name ?? "",
    references: { kind: "followed", outdated: [] },
    problems: gathered.kind === "known" ? [] : gathered.problems,
    conflicts: gathered.kind === "known" ? gathered.conflicts : [],
  };
  const { report, next } = decide(VariablesReady, facts);
  const now = parseTimestamp("2025-01-15T12:00:00Z");
  const condition = conditionOf(VariablesReady, report);
  const decided = condition === undefined ? [] : [condition];
  const { generation = 0 } = metadata;
  return {
    calls,
    statusVariables: gathered.kind === "known" ? gathered.variables : status?.variables,
    conditions: decided.reduce<readonly Condition[]>(
      (list, each) => setCondition(list, each, { now, generation }),
      status?.conditions ?? [],
    ),
    deprecatedV1Beta1Conditions: deprecatedConditions(status?.deprecated?.v1beta1?.conditions ?? [], decided, now),
    error: next.kind === "retry" ? describeError(next.error) : null,
    variableDiscoveryError: report.kind === "set" && report.status === "False" ? report.message : null,
  };
}

/** Answers as it was recorded, and takes down who was asked. */
export function recordedExtensions({ extensions = {} }: RecordedExtensions): {
  readonly calls: readonly object[];
  readonly discoverVariables: DiscoverVariablesCall;
} {
  const calls: object[] = [];
  return {
    calls,
    discoverVariables: async ({ handler, object, settings = null }) => {
      calls.push({
        forObject: namespacedName(keyOf(object)),
        hook: "DiscoverVariables",
        name: handler,
        settings,
        withCaching: true,
      });
      const { error, response } = extensions[handler] ?? { error: "no such handler" };
      if (response === undefined) throw new ContextError(error ?? "");
      return response;
    },
  };
}

/** The two versions of the reference differ in the shape of the variables that they take. */
export function readerFor({ form }: AdapterContext) {
  return { readVariable: form === "v1.13" ? readV1Beta2Variable : readV1Beta1Variable };
}
