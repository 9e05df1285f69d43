import { createExtension, createExtensionClient, DiscoverVariables, type ExtensionServer } from "#extensions";
import { Cluster, ClusterClass, DevClusterTemplate, ExtensionConfig } from "#api";
import { createLogger, systemClock } from "#base";
import { definitionsInMemory } from "#contract";
import type { Json } from "#machinery";
import { clusterClass, type DiscoveryPorts } from "#reconcilers/clusterclass";
import { scenario, type World, type WorldAdmission } from "#testkit";
import type { TestContext } from "vitest";

/** A world with an extension that is reached over HTTPS and defines variables. */
export interface ClassWorld extends AsyncDisposable {
  readonly world: World;
  /** How often the extension was asked. */
  readonly calls: () => number;
  /** What the extension answers from now on; an error is thrown in its handler. */
  answer(variables: readonly Json[] | Error): void;
  /** Ends the extension, so that nobody listens. */
  stopExtension(): Promise<void>;
  /** Makes the ExtensionConfig be different, so that what was answered before does not count any more. */
  touchExtension(): Promise<void>;
  variablesOf(name: string): Promise<readonly string[]>;
}

/** What a test can have otherwise. */
export interface ClassWorldOptions {
  readonly admission?: WorldAdmission;
  readonly ports?: (ports: DiscoveryPorts) => DiscoveryPorts;
}

/** The registered name of the handler. */
const handler = "variables.ext";

const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => {} } });

/** Opens the world, with a template for classes to name. */
export async function classWorld(
  t: TestContext,
  { ports: change = (ports) => ports, admission }: ClassWorldOptions = {},
): Promise<ClassWorld> {
  let [answer, calls]: [readonly Json[] | Error, number] = [[], 0];
  const served = await createExtension({ log })
    .on(DiscoverVariables, "variables", () => {
      calls += 1;
      if (answer instanceof Error) throw answer;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever a test wants to be answered, in whatever shape
      return { variables: answer as never };
    })
    .listen({ host: "127.0.0.1" });
  let extensions: ReturnType<typeof createExtensionClient> | undefined;
  const world = await scenario(t, {
    kinds: [Cluster, ClusterClass, ExtensionConfig, DevClusterTemplate],
    ...(admission === undefined ? {} : { admission }),
    manager: { cacheKinds: [definitionsInMemory] },
    controllers: (manager, { client, clock }) => {
      extensions = createExtensionClient({ client, log, clock });
      extensions.warmUp([]);
      manager.add(clusterClass, change({ runtimeSDK: true, extensions }));
    },
  });
  await world.apply(template("small"), configOf(served, {}));
  await register();
  return {
    world,
    calls: () => calls,
    answer: (variables) => {
      answer = variables;
    },
    stopExtension: () => served.close(),
    async touchExtension() {
      await world.apply(configOf(served, { touched: String(calls) }));
      await register();
      await world.settle();
    },
    async variablesOf(name) {
      const { status } = await world.get(ClusterClass, name);
      return (status?.variables ?? []).map((one) => one.name);
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      extensions?.close();
      await served.close();
    },
  };

  /** What the reconciler of ExtensionConfigs does. */
  async function register(): Promise<void> {
    const config = await world.client.get(ExtensionConfig, { name: "ext" });
    extensions?.register(await extensions.discover(config));
  }
}

/** A template that classes can name. */
export function template(name: string): DevClusterTemplate {
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
    kind: "DevClusterTemplate",
    metadata: { name },
    spec: { template: { spec: { backend: { inMemory: {} } } } },
  };
}

/** A class that asks the extension, unless told otherwise. */
export function aClass(name: string, spec: Partial<ClusterClass["spec"]> = {}): ClusterClass {
  const { apiVersion, kind } = template("small");
  const templated = { templateRef: { apiVersion, kind, name: "small" } };
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "ClusterClass",
    metadata: { name },
    spec: {
      infrastructure: templated,
      controlPlane: templated,
      patches: [
        { name: "patch", external: { generatePatchesExtension: "patches.ext", discoverVariablesExtension: handler } },
      ],
      ...spec,
    },
  };
}

/** A variable as an extension defines it. */
export function variable(name: string, schema: Json = { type: "string" }): Json {
  return { name, required: false, schema: { openAPIV3Schema: schema } };
}

function configOf(served: ExtensionServer, labels: { readonly [label: string]: string }): ExtensionConfig {
  return {
    apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
    kind: "ExtensionConfig",
    metadata: { name: "ext", labels },
    spec: { clientConfig: { url: served.url, caBundle: served.caBundle }, namespaceSelector: {} },
  };
}
