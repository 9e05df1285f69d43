import { CapstanError, type Clock, type Logger, quote, systemClock, wrap } from "#base";
import type { Catalog } from "../catalog/catalog.ts";
import { describeGroupHook } from "../catalog/group-version-hook.ts";
import type { Hook, HookRequest, HookResponse } from "../catalog/hook.ts";
import { runtimeCatalog } from "../catalog/runtime-catalog.ts";
import { ExtensionCallError } from "../errors.ts";
import { createRegistry, type ExtensionRegistry } from "../registry/registry.ts";
import { type ExtensionMetrics, noMetrics } from "../wire/extension-metrics.ts";
import type { ExtensionWire } from "../wire/extension-wire.ts";
import { createHttpsWire, type HttpsWireOptions } from "../wire/https-wire.ts";
import { type InProcessExtensions, withInProcess } from "../wire/in-process-wire.ts";
import { callHandler, type HandlerPorts } from "./call-handler.ts";
import { combinedResponse } from "./combined-response.ts";
import { discoverHandlers } from "./discover-handlers.ts";
import type { ExtensionClient } from "./extension-client.ts";
import { matchesNamespace, type NamespaceReader } from "./namespace-match.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";

/** What a client of extensions is made of. */
export interface ExtensionClientOptions {
  /** Reads the Namespaces that ExtensionConfigs select. */
  readonly client: NamespaceReader;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly metrics?: ExtensionMetrics;
  /** Extensions that live in this process, by the host in their URL. */
  readonly inProcess?: InProcessExtensions;
  readonly clientCertificate?: NonNullable<HttpsWireOptions["clientCertificate"]>;
  /** The hooks that can be called; all of Cluster API unless told. */
  readonly catalog?: Catalog;
  /** Where the handlers are registered; a registry of its own unless told. */
  readonly registry?: ExtensionRegistry;
  readonly cache?: ResponseCache;
  /** How extensions are reached; over HTTPS unless told. */
  readonly wire?: ExtensionWire;
}

/** Makes a client of extensions. Nothing can be called before its registry was warmed up. */
export function createExtensionClient(options: ExtensionClientOptions): ExtensionClient {
  const ports = portsOf(options);
  const { registry, namespaces, wire } = ports;

  async function handlersFor(hook: Hook, object: { readonly namespace?: string }, signal: AbortSignal | undefined) {
    const context = `failed to get extension handlers for hook ${quote(describeGroupHook(hook))}`;
    const matching: string[] = [];
    for (const { name, namespaceSelector } of await named(context, () => registry.list(hook))) {
      const isMatching = await named(`${context}: failed to get extension handler ${quote(name)}`, () =>
        matchesNamespace(namespaceSelector, object.namespace ?? "", { namespaces, signal }),
      );
      if (isMatching) matching.push(name);
    }
    return matching;
  }

  return {
    warmUp: (configs) => registry.warmUp(configs),
    isReady: () => registry.isReady(),
    discover: (config, { signal } = {}) => discoverHandlers(config, ports, signal),
    register: (config) =>
      within(`failed to register ExtensionConfig ${quote(config.metadata.name ?? "")}`, () => registry.add(config)),
    unregister: (config) =>
      within(`failed to unregister ExtensionConfig ${quote(config.name)}`, () => registry.remove(config)),
    handlersFor: (hook, object, { signal } = {}) => handlersFor(hook, object, signal),
    call: (hook, handler, request, call = {}) => callHandler({ hook, handler, request, ...call }, ports),

    async callAll<Request extends HookRequest, Response extends HookResponse>(
      hook: Hook<Request, Response>,
      object: { readonly name: string; readonly namespace?: string },
      request: Request,
      { signal }: { readonly signal?: AbortSignal } = {},
    ): Promise<Response> {
      const context = `failed to call extension handlers for hook ${quote(describeGroupHook(hook))}`;
      const responses: Response[] = [];
      for (const handler of await named(context, () => handlersFor(hook, object, signal))) {
        const call = { hook, handler, request, for: object, ...(signal === undefined ? {} : { signal }) };
        responses.push(await named(context, () => callHandler(call, ports)));
      }
      const { retryAfterSeconds, ...combined } = combinedResponse(responses);
      return { ...hook.readResponse(null), ...combined, ...(hook.canHoldBack ? { retryAfterSeconds } : {}) };
    },

    close: () => wire.close(),
  };
}

function portsOf(options: ExtensionClientOptions): HandlerPorts {
  const { client, log, clock = systemClock, metrics = noMetrics, catalog = runtimeCatalog, inProcess = {} } = options;
  const { clientCertificate, wire = createHttpsWire({ clock, ...(clientCertificate && { clientCertificate }) }) } =
    options;
  return {
    catalog,
    clock,
    log,
    metrics,
    namespaces: client,
    registry: options.registry ?? createRegistry(),
    cache: options.cache ?? createResponseCache(clock),
    wire: withInProcess(inProcess, wire),
  };
}

/** Says what was attempted when a call failed. */
async function named<T>(context: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    throw new ExtensionCallError(context, { cause: error });
  }
}

function within(context: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw wrap(error, context);
  }
}
