import { defaultFeatureGates, ExtensionConfig } from "#api";
import { ContextError, describeError, milliseconds, parseTimestamp, quote, systemClock } from "#base";
import { type PassTools, runPass } from "#control";
import type { ExtensionClient, ExtensionHandler } from "#extensions";
import { describeKey, isJsonObject, type Json, keyOf, type KubeObject, namespacedName } from "#machinery";
import {
  ask,
  bySecret,
  configsTrusting,
  describeDiscoveryFailure,
  extensionConfig,
  type ExtensionConfigPorts,
  readOnlyExtensionConfig,
  splitNamespacedName,
  startWarmUp,
  validityOf,
  warmUpRegistry,
  type WarmUpPorts,
  wishedAuthority,
  withDiscovery,
} from "#reconcilers/extensionconfig";
import { admissionFor, extensionConfigWebhook, type Lookups } from "#webhooks";
import type { Adapters } from "./adapter.ts";
import { type ConfigStore, configStore, type StoreFailures } from "./config-store.ts";
import { errorText, members } from "./outcome.ts";
import { recorded } from "./recorded.ts";
import { silentLog } from "./recorded-extension.ts";

interface RecordedConfigs {
  readonly extensionConfigs?: readonly ExtensionConfig[];
  readonly secrets?: readonly KubeObject[];
}

interface RecordedDiscovery extends RecordedConfigs {
  /** What each extension answers, in turn; the last answer stands. */
  readonly discovery?: {
    readonly [config: string]: readonly { readonly error?: string; readonly handlers?: readonly ExtensionHandler[] }[];
  };
}

interface RecordedPass extends RecordedDiscovery, StoreFailures {
  readonly request: string;
  readonly ready: boolean;
  readonly readOnly: boolean;
  readonly registerError?: string;
  readonly unregisterError?: string;
}

interface RecordedWarmUp extends RecordedDiscovery, StoreFailures {
  readonly readOnly: boolean;
  readonly listError?: string;
  readonly warmUpError?: string;
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

interface RecordedReview {
  readonly runtimeSDK: boolean;
  readonly extensionConfig: KubeObject;
}

const now = parseTimestamp("2025-01-15T12:00:00Z");
const clock = { ...systemClock, now: () => now };
const { signal } = new AbortController();

/** How ExtensionConfigs are discovered, registered and checked. */
export const extensionConfigs: Adapters = {
  splitNamespacedName: recorded(({ value }: { readonly value: string }) => splitNamespacedName(value)),

  indexByInjectCAFromSecret: recorded(({ extensionConfigs: configs = [] }: RecordedConfigs) => ({
    keys: configs.flatMap((config) => bySecret.valuesOf(config)),
  })),

  secretToExtensionConfig: recorded(async ({ value, ...input }: RecordedConfigs & { readonly value: string }) => {
    const { reader } = storeOf(input);
    const keys = await configsTrusting({ metadata: splitNamespacedName(value) }, { reader, signal });
    return { requests: keys.map(namespacedName) };
  }),

  validateExtensionConfig: recorded((input: RecordedConfigs) => {
    const validity = validityOf(onlyConfig(input));
    return { error: validity.kind === "invalid" ? validity.error : null };
  }),

  reconcileCABundle: recorded(async (input: RecordedConfigs & StoreFailures) => {
    const config = onlyConfig(input);
    const { client } = storeOf(input);
    const authority = await members(wishedAuthority(config, { client, signal }).then((caBundle) => ({ caBundle })));
    const { caBundle = config.spec.clientConfig.caBundle, ...rest } = { caBundle: undefined, ...authority };
    return { ...rest, caBundleText: decoded(caBundle) };
  }),

  discoverExtensionConfig: recorded(async (input: RecordedDiscovery) => {
    const config = onlyConfig(input);
    const { extensions } = recordedExtensions(input);
    const asked = await ask(config, { extensions, signal });
    const { fact } = asked;
    return {
      error: fact.kind === "failed" ? describeDiscoveryFailure(describeKey(keyOf(config)), fact.error) : null,
      result: resultOf(withDiscovery(config, asked, clock)),
    };
  }),

  reconcileExtensionConfigObject: recorded(async (input: RecordedPass) => {
    const store = storeOf(input);
    const { calls, extensions } = recordedExtensions(input);
    const reconciler = input.readOnly ? readOnlyExtensionConfig : extensionConfig;
    const { next } = await runPass(reconciler, { name: input.request }, passTools(store, { extensions }));
    const config = store.config(input.request);
    return {
      error: next.kind === "retry" ? describeError(next.error) : null,
      requeueAfterSeconds: next.kind === "requeue" ? next.after / 1000 : 0,
      runtimeClientCalls: calls,
      writesSpecOrMetadata: store.wrote.object,
      writesStatus: store.wrote.status,
      ...(config === undefined ? {} : { result: resultOf(config) }),
    };
  }),

  warmupRegistry: recorded(async (input: RecordedWarmUp) => {
    const { store, calls, ports } = warmUpOf(input);
    const outcome = await members(warmUpRegistry(ports, { signal }).then(() => ({ error: null })));
    return { ...outcome, runtimeClientCalls: calls, results: store.configs.map(resultOf) };
  }),

  warmupStart: recorded(async (input: RecordedWarmUp) => {
    const { store, ports } = warmUpOf(input);
    const { timeoutMs = 60_000, intervalMs = 2_000 } = input;
    const pace = { timeout: milliseconds(timeoutMs), interval: milliseconds(intervalMs) };
    const outcome = await members(startWarmUp(ports, { ...pace, signal }).then(() => ({ error: null })));
    return { ...outcome, results: store.configs.map(resultOf) };
  }),

  webhookDefault: recorded(async ({ extensionConfig: config }: RecordedReview) => {
    const filled = await extensionConfigWebhook.fillIn?.(undefined, asWritten(config), lookups(true));
    return filled?.object.spec;
  }),

  webhookValidate: recorded(async ({ extensionConfig: config, runtimeSDK }: RecordedReview) => {
    const [admission] = admissionFor([extensionConfigWebhook], lookups(runtimeSDK));
    const object = asWritten(config);
    const name = object.metadata.name ?? "";
    const write = { resource: ExtensionConfig.resource, subresource: "", oldObject: undefined, object, name };
    try {
      await admission?.validate({ ...write, operation: "CREATE" }, { warn: () => {} });
      return { error: null };
    } catch (error) {
      return { error: errorText(error) };
    }
  }),
};

function storeOf({ extensionConfigs: configs = [], secrets = [], ...failures }: RecordedConfigs & StoreFailures) {
  return configStore([...configs, ...secrets], failures);
}

function onlyConfig({ extensionConfigs: [config] = [] }: RecordedConfigs): ExtensionConfig {
  if (config === undefined) throw new TypeError("the case has no ExtensionConfig");
  return config;
}

type RecordedCalls = Pick<RecordedPass, "registerError" | "unregisterError"> & { readonly ready?: boolean };

/** Answers as it was recorded, and takes down what is asked of it. */
function recordedExtensions(input: RecordedDiscovery & RecordedCalls & { readonly warmUpError?: string }) {
  const calls: string[] = [];
  const asked = new Map<string, number>();
  const extensions: Pick<ExtensionClient, "isReady" | "discover" | "register" | "unregister" | "warmUp"> = {
    isReady: () => input.ready === true,
    async discover(config) {
      const { name = "" } = config.metadata;
      calls.push(`discover ${name} caBundle=${quote(decoded(config.spec.clientConfig.caBundle))}`);
      const answers = input.discovery?.[name] ?? [];
      const turn = asked.get(name) ?? 0;
      asked.set(name, turn + 1);
      const { error, handlers = [] } = answers[Math.min(turn, answers.length - 1)] ?? {};
      if (error !== undefined) throw new ContextError(error);
      return { ...config, status: { ...config.status, handlers } };
    },
    register({ metadata, status }) {
      const handlers = (status?.handlers ?? []).map(({ name }) => name);
      calls.push(`register ${metadata.name ?? ""} handlers=[${handlers.join(",")}]`);
      failIf(input.registerError);
    },
    unregister({ name }) {
      calls.push(`unregister ${name}`);
      failIf(input.unregisterError);
    },
    warmUp(configs) {
      calls.push(`warmUp ${configs.map(({ metadata }) => metadata.name).join(",")}`);
      failIf(input.warmUpError);
    },
  };
  return { calls, extensions };
}

function failIf(error: string | undefined): void {
  if (error !== undefined) throw new ContextError(error);
}

function warmUpOf(input: RecordedWarmUp) {
  const store = storeOf(input);
  const { calls, extensions } = recordedExtensions(input);
  const ports: WarmUpPorts = { client: store.client, extensions, clock, log: silentLog, readOnly: input.readOnly };
  return { store, calls, ports };
}

function passTools({ client, reader }: ConfigStore, ports: ExtensionConfigPorts): PassTools<ExtensionConfigPorts> {
  return {
    ports,
    reader,
    client,
    clock,
    log: silentLog,
    eventsAbout: () => ({ record: () => {} }),
    watch: () => Promise.resolve(),
    reconcileId: "1",
    signal,
    spelling: "documented",
  };
}

function resultOf({ metadata, spec, status }: ExtensionConfig): unknown {
  return {
    name: metadata.name,
    caBundleText: decoded(spec.clientConfig.caBundle),
    conditions: status?.conditions ?? [],
    deprecatedV1Beta1Conditions: status?.deprecated?.v1beta1?.conditions ?? [],
    handlers: status?.handlers ?? [],
  };
}

function decoded(base64 = ""): string {
  return Buffer.from(base64, "base64").toString();
}

function lookups(runtimeSDK: boolean): Lookups {
  return {
    gates: { ...defaultFeatureGates, RuntimeSDK: runtimeSDK },
    clusterClass: () => Promise.resolve(undefined),
    clustersUsing: () => Promise.resolve([]),
    upgradeBlockers: () => Promise.resolve([]),
    variables: { validateDefinitions: () => [], fillIn: (_old, cluster) => ({ cluster, errors: [] }) },
  };
}

/** An object as it comes to a webhook. The cases leave out empty texts, and a service with no field at all is none. */
function asWritten({ spec, ...object }: KubeObject): ExtensionConfig {
  const { clientConfig = {}, ...rest } = isJsonObject(spec) ? spec : {};
  const { service, ...reach } = isJsonObject(clientConfig) ? clientConfig : {};
  const named = isJsonObject(service) && Object.keys(service).length > 0 ? { service: serviceOf(service) } : {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the files of vectors fix its shape
  return {
    ...object,
    apiVersion: ExtensionConfig.apiVersion,
    kind: "ExtensionConfig",
    spec: { ...rest, clientConfig: { ...reach, ...named } },
  } as ExtensionConfig;
}

function serviceOf(service: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return { name: "", namespace: "", ...service };
}
