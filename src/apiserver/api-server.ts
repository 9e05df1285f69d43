import type { Clock, Logger } from "#base";
import { isAlreadyExists, type KubeObject, type Transport } from "#machinery";
import {
  type AdmissionPlugin,
  admissionOf,
  admissionWebhooks,
  type Caller,
  namespaceLifecycle,
  namespaceStillThere,
  runtimeClass,
} from "#apiserver/admission";
import { type AnsweredResource, createSecurity, type Security, type SecurityOptions } from "#apiserver/auth";
import { builtinDefinitions } from "#apiserver/builtin";
import { type Callout, createCallout, type HostAndPort } from "#apiserver/callout";
import {
  collectGarbage,
  compactHistory,
  type HistoryLimits,
  historyLimits,
  sweepExpired,
  terminateNamespaces,
} from "#apiserver/collect";
import { Collections, Committer } from "#apiserver/collection";
import { serveCustomResources } from "#apiserver/custom";
import { evictions } from "#apiserver/eviction";
import { type HttpOptions, type HttpServer, serveHttp } from "#apiserver/http";
import { type Engine, guisesOf, objectOf, type Plane, planeOf, Resources, transportFor } from "#apiserver/registry";
import { storageOf } from "#apiserver/resources";
import type { Store } from "#apiserver/store";

export interface ApiServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Have their say after the server's own. */
  readonly plugins?: readonly AdmissionPlugin[];
  /** Where webhooks that are known as services are, by `namespace/name`; others are looked for on this machine. */
  readonly webhookServices?: ReadonlyMap<string, HostAndPort>;
  /** Who may do what; without it there are no roles, and whoever gets in may do everything. */
  readonly security?: SecurityOptions;
  /** How much of the past is kept, where that is not as much as usual. */
  readonly history?: Partial<HistoryLimits>;
  /** Is told when the store has failed: nothing can be written any more, and the process has to start anew. */
  readonly onFatal: (error: Error) => void;
}

/** A Kubernetes API server inside the process. */
export interface ApiServer {
  /** The server as a caller reaches it; as its administrator unless told otherwise. */
  transport(caller?: Caller): Transport;
  /** What tells callers apart, where the server was opened with it. */
  readonly security: Security | undefined;
  /** What is answered and not kept: reviews, tokens, evictions. */
  readonly answered: readonly AnsweredResource[];
  /** Resolves when all writes are durable and the server's own controllers have nothing to do. */
  settle(): Promise<void>;
  /** Serves over the network until the answer is closed. */
  listen(options: HttpOptions): Promise<HttpServer>;
  /** Writes a copy of everything to a file while serving. */
  backup(file: string): Promise<void>;
  /** Finishes what is under way and lets go of the store. */
  close(): Promise<void>;
}

const administrator: Caller = { name: "system:admin", groups: ["system:masters", "system:authenticated"] };

const firstNamespaces = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** Loads everything from the store and begins to serve it. */
export async function openApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, clock, log, random, uuid } = options;
  const collections = loadCollections(store);
  const resources = new Resources();
  const namespaces = collections.of({ group: "", resource: "namespaces" });
  const namespace = (name: string) => namespaces.head("", name);
  const runtimeClasses = collections.of({ group: "node.k8s.io", resource: "runtimeclasses" });
  const stop = new AbortController();
  const callout = calloutOf(options, collections, stop.signal);
  const webhooks = admissionWebhooks({
    callout,
    uuid,
    log,
    namespace,
    versions: guisesOf(resources),
    mutating: collections.of({ group: "admissionregistration.k8s.io", resource: "mutatingwebhookconfigurations" }),
    validating: collections.of({ group: "admissionregistration.k8s.io", resource: "validatingwebhookconfigurations" }),
  });
  const plugins = [
    namespaceLifecycle(namespace),
    runtimeClass((name) => runtimeClasses.get("", name)),
    ...(options.plugins ?? []),
    ...webhooks.plugins,
    namespaceStillThere(namespace),
  ];
  const background = { clock, log, signal: stop.signal };
  const history = compactHistory(store, { ...background, limits: { ...historyLimits, ...options.history } });
  const engine: Engine = {
    clock,
    random,
    uuid,
    store,
    committer: new Committer(store, { onFatal: options.onFatal, onDurable: (writes) => history.grow(writes) }),
    resources,
    admission: admissionOf(plugins),
  };
  for (const definition of builtinDefinitions()) {
    resources.put({ definition, collection: collections.of(storageOf(definition)) });
  }
  const plane = planeOf(engine, collections);
  const parts = options.security && createSecurity(plane, options.security, { ...background, uuid });
  // Security has the last word: it looks at objects as all others have left them.
  plugins.push(...(parts?.plugins ?? []));
  const custom = serveCustomResources(plane, { ...background, callout, uuid });
  const workers = [custom, collectGarbage(plane, background), terminateNamespaces(plane, background), history];
  const upkeep = sweepExpired(plane, store, background);
  await createNamespaces(plane);
  workers.push(...((await parts?.begin()) ?? []));
  webhooks.open();

  const settle = async () => {
    // One worker's work may give another one work, so that all have to be idle at the same time.
    for (let quiet = false; !quiet;) {
      const revision = engine.committer.published;
      await Promise.all(workers.map((worker) => worker.idle()));
      await engine.committer.settle();
      quiet = revision === engine.committer.published;
    }
  };
  return {
    transport: (caller = administrator) => transportFor(engine, caller),
    security: parts?.security,
    answered: [...(parts?.security.answeredResources ?? []), evictions({ plane, clock })],
    settle,
    listen: (http) => serveHttp(engine, http),
    backup: (file) => store.backup(file),
    async close() {
      stop.abort();
      await Promise.all(workers.map((worker) => worker.idle()));
      await upkeep;
      await engine.committer.settle();
      callout.close();
      await store.close();
    },
  };
}

function calloutOf(
  { clock, webhookServices = new Map() }: ApiServerOptions,
  collections: Collections,
  signal: AbortSignal,
): Callout {
  const services = collections.of({ group: "", resource: "services" });
  const find = (namespace: string, name: string) => services.get(namespace, name);
  return createCallout({ clock, services: { known: webhookServices, find }, signal });
}

function loadCollections(store: Store): Collections {
  const collections = new Collections(store.revision);
  for (const record of store.heads()) {
    const { namespace, name } = record.key;
    collections.of(record.key).load(namespace, name, () => objectOf(record));
  }
  return collections;
}

/** Namespaces that are there before anyone asks for them. */
async function createNamespaces(plane: Plane): Promise<void> {
  const namespaces = { group: "", resource: "namespaces" };
  for (const name of firstNamespaces) {
    if (plane.get(namespaces, { name }) !== undefined) continue;
    const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    try {
      await plane.create(namespaces, namespace);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}
