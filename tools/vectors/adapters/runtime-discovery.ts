import type { ExtensionConfig } from "#api";
import { systemClock } from "#base";
import {
  type Catalog,
  checkDiscoveryResponse,
  combinedResponse,
  createCatalog,
  createExtensionClient,
  createRegistry,
  createResponseCache,
  defineHook,
  describeGroupHook,
  describeHook,
  Discovery,
  ExtensionCallError,
  type ExtensionClient,
  extensionNameOf,
  extensionUrl,
  type Hook,
  hookPath,
  type HookResponse,
  matchesNamespace,
  type NamespaceReader,
  printUrl,
  registeredName,
  type Registration,
  runtimeCatalog,
  takesEverything,
  withHandlerDefaults,
  withSettings,
} from "#extensions";
import { compileLabelSelector, type LabelSelector, notFound, printLabelSelector, s } from "#machinery";
import type { Adapters } from "./adapter.ts";
import { errorText, members, outcome } from "./outcome.ts";
import {
  type RecordedAnswers,
  type RecordedServer,
  serverAuthority,
  silentLog,
  startRecordedServer,
} from "./recorded-extension.ts";

const testGroup = { group: "test.runtime.cluster.x-k8s.io", version: "v1alpha1" };

function testHook(hook: string, canHoldBack = false): Hook {
  const response = canHoldBack ? { retryAfterSeconds: s.integer({ default: 0 }) } : {};
  return defineHook({ ...testGroup, hook, summary: "", request: {}, response, onlyAsks: true, canHoldBack });
}

const catalogs: Readonly<Record<string, Catalog>> = {
  hooks: runtimeCatalog,
  test: createCatalog("test", [
    Discovery,
    testHook("FakeHook"),
    testHook("SecondFakeHook"),
    testHook("RetryableFakeHook", true),
  ]),
};

interface Labelled {
  readonly namespaceLabels?: { readonly [name: string]: string } | null;
  readonly namespaceMissing?: boolean;
}

/** What the cases that need a server have in common. */
interface Calling extends Labelled {
  readonly server: RecordedAnswers;
  readonly noServer?: boolean;
  readonly catalog?: string;
  readonly extensionConfig: ExtensionConfig;
}

interface HandlerCalling extends Calling {
  readonly handler: string;
  readonly hook: string;
  readonly requestSettings: { readonly [name: string]: string } | null;
  readonly caching: boolean;
  readonly calls: number;
}

interface RegistryOperation {
  readonly op: "warmUp" | "isReady" | "add" | "remove" | "list" | "get";
  readonly extensionConfig?: ExtensionConfig | null;
  readonly list?: { readonly items?: readonly ExtensionConfig[] | null } | null;
  readonly group?: string;
  readonly hook?: string;
  readonly name?: string;
}

interface RecordedInputs {
  readonly validateDiscovery: { readonly catalog: string; readonly response: unknown };
  readonly url: {
    readonly clientConfig: ExtensionConfig["spec"]["clientConfig"];
    readonly handler: string;
    readonly group: string;
    readonly version: string;
    readonly hook: string;
  };
  readonly gvhToPath: RecordedInputs["url"];
  readonly extensionNameFromHandlerName: { readonly handler: string };
  readonly nameForHandler: { readonly handler: string; readonly extensionName?: string | null };
  readonly aggregate: { readonly retryAfterSeconds?: readonly number[] | null; readonly messages: readonly string[] };
  readonly mergeSettings: {
    readonly requestSettings: { readonly [name: string]: string } | null;
    readonly registrationSettings: { readonly [name: string]: string } | null;
  };
  readonly matchNamespace: Labelled & { readonly selector: LabelSelector | null };
  readonly registry: { readonly ops: readonly RegistryOperation[] };
  readonly discover: Calling;
  readonly callExtension: HandlerCalling;
  readonly callAllExtensions: Calling & { readonly hook?: string };
  readonly getAllExtensions: Calling & { readonly hook?: string };
  readonly catalog: { readonly catalog: string };
}

type Operations = { readonly [Op in keyof RecordedInputs]: (input: RecordedInputs[Op]) => unknown };

// What stands in the cases where the authority of the server is meant.
const testAuthority = Buffer.from("TESTCA").toString("base64");

const object = { namespace: "foo", name: "bar" };

const operations: Operations = {
  validateDiscovery({ catalog, response }) {
    if (response === null || response === undefined)
      return outcome(() => checkDiscoveryResponse(undefined, catalogNamed(catalog)));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was read from a file of JSON
    const defaulted = withHandlerDefaults(Discovery.readResponse(response as never));
    const { error } = outcome(() => checkDiscoveryResponse(defaulted, catalogNamed(catalog)));
    return { error, handlers: defaulted.handlers };
  },
  url: ({ clientConfig, handler, ...hook }) =>
    members(() => {
      const url = extensionUrl(clientConfig, hook, handler);
      return { url: printUrl(url), hostname: url.hostname };
    }),
  gvhToPath: ({ handler, ...hook }) => ({
    path: hookPath(hook, handler),
    gvhString: describeHook(hook),
    groupHookString: describeGroupHook(hook),
  }),
  extensionNameFromHandlerName: ({ handler }) => outcome(() => extensionNameOf(handler), ""),
  nameForHandler: ({ handler, extensionName }) =>
    outcome(() => registeredName(handler, typeof extensionName === "string" ? { name: extensionName } : undefined), ""),
  aggregate({ retryAfterSeconds, messages }) {
    const responses = messages.map((message, index) => {
      const wait = retryAfterSeconds?.[index];
      return { status: "Success", message, ...(wait === undefined ? {} : { retryAfterSeconds: wait }) };
    });
    const { retryAfterSeconds: wait, ...combined } = combinedResponse(responses);
    return Array.isArray(retryAfterSeconds) ? { ...combined, retryAfterSeconds: wait } : combined;
  },
  mergeSettings: ({ requestSettings, registrationSettings }) => ({
    settings: withSettings(requestSettings === null ? {} : { settings: requestSettings }, registrationSettings ?? {})
      .settings,
  }),
  async matchNamespace({ selector, ...labelled }) {
    const compiled = outcome(() => compileLabelSelector(selector ?? undefined));
    if (compiled.result === undefined) return { selectorError: compiled.error };
    const { result } = compiled;
    const matching = matchesNamespace(result, "foo", { namespaces: namespacesOf(labelled) });
    return { match: false, ...(await members(matching.then((match) => ({ match })))) };
  },
  registry({ ops }) {
    const registry = createRegistry();
    return {
      steps: ops.map((step) => {
        const { op, extensionConfig, list, group = "", hook = "", name = "" } = step;
        switch (op) {
          case "isReady":
            return { op, result: registry.isReady() };
          case "warmUp":
            return { op, ...outcome(() => registry.warmUp(list ? (list.items ?? []) : undefined)) };
          case "add":
            return { op, ...outcome(() => registry.add(extensionConfig ?? undefined)) };
          case "remove":
            return { op, ...outcome(() => registry.remove(extensionConfig ? named(extensionConfig) : undefined)) };
          case "list": {
            const { error, result } = outcome(() => registry.list({ group, hook }), []);
            return { op, error, resultSorted: result?.map((registration) => registration.name) };
          }
          case "get": {
            const { error, result } = outcome(() => registry.get(name));
            return { op, error, ...(result === undefined ? {} : { result: recorded(result) }) };
          }
        }
      }),
    };
  },
  async discover(input) {
    return calling(input, async (client, config, server) => ({
      ...(await members(client.discover(config).then(({ status }) => ({ handlers: status?.handlers ?? [] })))),
      requests: server.requests,
    }));
  },
  async callExtension(input) {
    const { handler, requestSettings, caching, calls } = input;
    const cache = createResponseCache(systemClock);
    return calling(trusting({ ...input, cache }), async (client, config, server) => {
      client.warmUp([config]);
      const request = requestSettings === null ? {} : { settings: requestSettings };
      const results: unknown[] = [];
      for (let call = 0; call < calls; call++) {
        const asked = client.call(hookNamed(input), handler, request, { for: object, cache: caching });
        const nothing = hookNamed(input).readResponse(null);
        results.push(
          await asked.then(
            (response) => ({ response: plain(response) }),
            (error: unknown) => ({ error: errorText(error), response: plain(responseIn(error) ?? nothing) }),
          ),
        );
      }
      const [firstRequest] = server.requests;
      return { results, serverCalls: server.requests.length, cacheEntries: cache.size, firstRequest };
    });
  },
  async callAllExtensions(input) {
    return calling(trusting(input), async (client, config, server) => {
      client.warmUp([config]);
      const asked = client.callAll(hookNamed(input), object, {});
      const nothing = { status: "", message: "", retryAfterSeconds: 0 };
      const answered = await asked.then(
        (response) => ({ response: { ...nothing, ...response } }),
        (error: unknown) => ({ error: errorText(error), response: nothing }),
      );
      const { message, ...response } = answered.response;
      const messageParts = message === "" ? [] : message.split(", ");
      return { ...answered, response: { ...response, messageParts }, serverCalls: server.requests.length };
    });
  },
  async getAllExtensions(input) {
    return calling(trusting(input), async (client, config) => {
      client.warmUp([config]);
      return members(client.handlersFor(hookNamed(input), object).then((names) => ({ resultSorted: names })));
    });
  },
  catalog: ({ catalog }) => ({
    hooks: catalogNamed(catalog).hooks.map((hook) => ({
      hook: hook.hook,
      gvh: describeHook(hook),
      path: hookPath(hook),
      requestKind: hook.requestKind,
      responseKind: hook.responseKind,
      retryResponse: hook.canHoldBack,
    })),
  }),
};

/** Adapters for the client of extensions, its registry and its catalog, by operation. */
export const runtimeDiscovery: Adapters = Object.fromEntries(
  Object.entries(operations).map(([op, run]) => [
    op,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the files of vectors fix the shape of each input
    (input: unknown) => run(input as never),
  ]),
);

type CallingWithCache = Calling & { readonly cache?: ReturnType<typeof createResponseCache> };

/** Whoever calls handlers trusts the server without saying so. */
function trusting<Input extends CallingWithCache>(input: Input): Input {
  const { extensionConfig } = input;
  const { spec } = extensionConfig;
  const clientConfig = { caBundle: testAuthority, ...spec.clientConfig };
  return { ...input, extensionConfig: { ...extensionConfig, spec: { ...spec, clientConfig } } };
}

async function calling(
  input: CallingWithCache,
  run: (client: ExtensionClient, config: ExtensionConfig, server: RecordedServer) => Promise<unknown>,
): Promise<unknown> {
  await using server = await startRecordedServer(input.server, { listens: input.noServer !== true });
  const client = createExtensionClient({
    client: namespacesOf(input),
    log: silentLog,
    catalog: catalogNamed(input.catalog),
    ...(input.cache === undefined ? {} : { cache: input.cache }),
  });
  try {
    return await run(client, reaching(input.extensionConfig, server), server);
  } finally {
    client.close();
  }
}

/** The ExtensionConfig with the address and the authority of the server in place of what stands for them. */
function reaching(config: ExtensionConfig, server: RecordedServer): ExtensionConfig {
  const { clientConfig } = config.spec;
  const url = clientConfig.url === "SERVER" ? { url: server.url } : {};
  const trust = clientConfig.caBundle === testAuthority ? { caBundle: serverAuthority } : {};
  return { ...config, spec: { ...config.spec, clientConfig: { ...clientConfig, ...url, ...trust } } };
}

function namespacesOf({ namespaceLabels, namespaceMissing = false }: Labelled): NamespaceReader {
  return {
    get: async (kind, { name }) => {
      if (namespaceMissing) throw notFound({ group: "", resource: "namespaces" }, name);
      return { apiVersion: "v1", kind: kind.kind, metadata: { name, labels: namespaceLabels ?? {} } };
    },
  };
}

function catalogNamed(name = "hooks"): Catalog {
  return catalogs[name] ?? runtimeCatalog;
}

/** The hook of a case; one that its catalog does not have is made up. */
function hookNamed({
  catalog,
  hook: name = "BeforeClusterUpgrade",
}: {
  readonly catalog?: string;
  readonly hook?: string;
}): Hook {
  return catalogNamed(catalog).hooks.find(({ hook }) => hook === name) ?? testHook(name);
}

function named({ metadata }: ExtensionConfig): { readonly name: string } {
  return { name: metadata.name ?? "" };
}

/** A registration as it was recorded: without the way to its extension. */
function recorded(registration: Registration): unknown {
  const { hook, namespaceSelector, name, timeoutSeconds, failurePolicy, settings } = registration;
  const { extensionConfigName, extensionConfigResourceVersion } = registration;
  return {
    name,
    extensionConfigName,
    extensionConfigResourceVersion,
    timeoutSeconds,
    failurePolicy,
    settings,
    groupVersionHook: describeHook(hook),
    namespaceSelector: printLabelSelector(namespaceSelector),
    namespaceSelectorEmpty: takesEverything(namespaceSelector),
  };
}

/** An answer as it goes over the wire: what is empty is left out, except for the status. */
function plain(response: HookResponse): unknown {
  return Object.fromEntries(Object.entries(response).filter(([name, value]) => name === "status" || value !== ""));
}

/** What a handler answered although the call failed. */
function responseIn(error: unknown): HookResponse | undefined {
  return error instanceof ExtensionCallError ? error.response : undefined;
}
