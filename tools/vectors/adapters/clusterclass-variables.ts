import { ClusterClass, type ExtensionConfig } from "#api";
import { ContextError, createLogger, describeError, parseTimestamp, systemClock } from "#base";
import { type Condition, conditionOf, decide, setCondition } from "#conditions";
import { runPass } from "#control";
import { cacheKey } from "#extensions";
import { type JsonObject, type KubeObject, namespacedName, type ObjectKey } from "#machinery";
import {
  type ClassFacts,
  clusterClass,
  classesUsing,
  deprecatedConditions,
  type DiscoveryPorts,
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

  reconcileClusterClass: recorded(reconcileClusterClass),

  extensionConfigToClusterClass: recorded(async ({ extensionConfig, objects }: RecordedMapping) => {
    const { reader } = classStore(objects);
    const keys = await classesUsing(extensionConfig, { reader, signal: new AbortController().signal });
    return { requests: keys.map(namespacedName) };
  }),

  discoverVariablesCacheKey: recorded(({ extensionName, resourceVersion, settings }: RecordedKey) => ({
    key: cacheKey({ name: extensionName, extensionConfigResourceVersion: resourceVersion }, { settings }, []),
  })),

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
interface RecordedExtensions {
  readonly runtimeSDK: boolean;
  readonly extensions?: {
    readonly [handler: string]: { readonly error?: string; readonly response?: JsonObject };
  };
}

interface RecordedPass extends RecordedExtensions {
  readonly objects: readonly KubeObject[];
  readonly request: ObjectKey;
}

interface RecordedKey {
  readonly extensionName: string;
  readonly resourceVersion: string;
  readonly settings: { readonly [name: string]: string };
}

interface RecordedMapping {
  readonly extensionConfig: ExtensionConfig;
  readonly objects: readonly KubeObject[];
}

async function reconcileVariables(input: RecordedDiscovery, context: AdapterContext): Promise<unknown> {
  const { clusterClass: object, runtimeSDK, celCompatibilityVersion } = input;
  const { calls, extensions } = recordedExtensions(input);
  const { signal } = new AbortController();
  const ports = { runtimeSDK, extensions, ...readerFor(context), ...celVersionOf(celCompatibilityVersion) };
  const gathered = await gatherVariables(object, ports, { signal });
  const { metadata, status } = object;
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

async function reconcileClusterClass(input: RecordedPass, context: AdapterContext): Promise<unknown> {
  const { objects, request, runtimeSDK } = input;
  const { calls, extensions } = recordedExtensions(input);
  const store = classStore(objects);
  const { next } = await runPass(clusterClass, request, {
    ...quietTools,
    ports: { runtimeSDK, extensions, ...readerFor(context) },
    reader: store.reader,
    client: store.client,
  });
  const reconciled = store.objects().find((object) => ClusterClass.is(object) && object.metadata.name === request.name);
  const templates = store.objects().filter(({ kind }) => kind.endsWith("Template"));
  const { status } = reconciled !== undefined && ClusterClass.is(reconciled) ? reconciled : { status: undefined };
  return {
    calls,
    error: next.kind === "retry" ? describeError(next.error) : null,
    requeueAfterSeconds: next.kind === "requeue" ? next.after / 1000 : 0,
    ownerReferences: Object.fromEntries(
      templates.map(({ kind, metadata }) => [`${kind}/${metadata.name}`, metadata.ownerReferences]),
    ),
    ...(reconciled === undefined
      ? {}
      : {
          conditions: status?.conditions,
          deprecatedV1Beta1Conditions: status?.deprecated?.v1beta1?.conditions,
          statusObservedGeneration: status?.observedGeneration ?? 0,
          statusVariables: status?.variables,
        }),
  };
}

const quietTools = {
  clock: systemClock,
  log: createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => {} } }),
  eventsAbout: () => ({ record: () => {} }),
  watch: () => Promise.resolve(),
  reconcileId: "1",
  signal: new AbortController().signal,
  spelling: "documented",
  random: () => 0,
} as const;

/** Answers as it was recorded, and takes down who was asked. */
function recordedExtensions({ extensions = {} }: RecordedExtensions): {
  readonly calls: readonly object[];
  readonly extensions: DiscoveryPorts["extensions"];
} {
  const calls: object[] = [];
  return {
    calls,
    extensions: {
      call: async (hook, handler, { settings = null }, { for: about = { name: "" }, cache: withCaching } = {}) => {
        calls.push({ forObject: namespacedName(about), hook: hook.hook, name: handler, settings, withCaching });
        const { error = "", response } = extensions[handler] ?? { error: "no such handler" };
        if (response === undefined) throw new ContextError(error);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this hook is called
        return { message: "", variables: [], ...response } as never;
      },
    },
  };
}

/** The two versions of the reference differ in the shape of the variables that they take. */
function readerFor({ form }: AdapterContext) {
  return { readVariable: form === "v1.13" ? readV1Beta2Variable : readV1Beta1Variable };
}
