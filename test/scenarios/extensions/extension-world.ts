import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestContext } from "vitest";
import { ExtensionConfig } from "#api";
import type { AdmissionPlugin } from "#apiserver";
import { type Clock, createLogger, hours, issueServing, type ServingCertificate, systemClock } from "#base";
import { type Client, createClient } from "#client";
import type { Manager } from "#control";
import { createExtensionClient, createHttpsWire, type ExtensionClient, type ExtensionWire } from "#extensions";
import type { Transport } from "#machinery";
import { extensionConfig, extensionWarmUp, readOnlyExtensionConfig } from "#reconcilers/extensionconfig";
import { scenario, type World } from "#testkit";

/** A certificate for an extension on this machine, from an authority of its own. */
export function aCertificate(names: readonly string[] = ["localhost", "127.0.0.1"]): ServingCertificate {
  const now = systemClock.instant();
  return issueServing({ names, notBefore: now - hours(1), notAfter: now + hours(1) });
}

/** PEM as ExtensionConfigs and Secrets carry it. */
export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** An ExtensionConfig as somebody applies it. */
export function aConfig(
  name: string,
  clientConfig: ExtensionConfig["spec"]["clientConfig"],
  metadata: ExtensionConfig["metadata"] = {},
): ExtensionConfig {
  return {
    apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
    kind: "ExtensionConfig",
    metadata: { name, ...metadata },
    spec: { clientConfig, namespaceSelector: {} },
  };
}

/** A server that answers whatever a test wants. */
export interface RogueServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly connections: number;
}

/** Starts a server that is no extension. */
export async function aRogue(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  tls: ServingCertificate,
): Promise<RogueServer> {
  let connections = 0;
  const server = createServer({ cert: tls.certificate, key: tls.key }, answer);
  server.on("secureConnection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What the Discovered condition of an ExtensionConfig says. */
export interface SeenDiscovery {
  readonly status?: string;
  readonly message?: string;
  readonly handlers: readonly string[];
}

/** A world whose manager discovers extensions over the network. */
export interface ExtensionWorld extends AsyncDisposable {
  readonly world: World;
  readonly extensions: ExtensionClient;
  discovered(name: string): Promise<SeenDiscovery>;
  /** The row that judged the last pass. */
  row(name: string): string | undefined;
}

/** Opens such a world. */
export async function extensionWorld(
  t: TestContext,
  { plugins = [] }: { readonly plugins?: readonly AdmissionPlugin[] } = {},
): Promise<ExtensionWorld> {
  const added: AddedExtensions[] = [];
  const world = await scenario(t, {
    kinds: [ExtensionConfig],
    plugins,
    // As the plane has it: Secrets are read past the caches, and only their metadata is watched.
    manager: { cacheKinds: [{ kind: { group: "", kind: "Secret" }, live: true }] },
    controllers: (manager, { clock, client }) => added.push(addExtensions(manager, { clock, client, readOnly: false })),
    settling: [() => Promise.all(added.map(({ answered }) => answered())).then(() => undefined)],
  });
  const extensions = added[0]?.extensions;
  if (extensions === undefined) throw new Error("the world has no manager");
  return {
    world,
    extensions,
    discovered: async (name) => seen(await world.get(ExtensionConfig, name)),
    row: (name) => world.passes("ExtensionConfig", name).at(-1)?.verdicts.at(-1)?.row,
    async [Symbol.asyncDispose]() {
      extensions.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** What deals with extensions in a manager. */
export interface AddedExtensions {
  /** With which others call them. */
  readonly extensions: ExtensionClient;
  /** Resolves when no extension is being asked: time of tests must not pass while the network is busy. */
  readonly answered: () => Promise<void>;
}

/** Adds to a manager what deals with extensions. */
export function addExtensions(
  manager: Manager,
  { clock, client, readOnly }: { readonly clock: Clock; readonly client: Client; readonly readOnly: boolean },
): AddedExtensions {
  const log = createLogger({ format: "text", level: "error", clock, destination: { write: () => true } });
  const { wire, answered } = tracked(createHttpsWire({ clock }));
  const extensions = createExtensionClient({ client: manager.reader, log, clock, wire });
  manager.add(readOnly ? readOnlyExtensionConfig : extensionConfig, { extensions }, { concurrency: 10 });
  manager.addRunnable(extensionWarmUp({ client, extensions, clock, log, readOnly }));
  return { extensions, answered };
}

function tracked(wire: ExtensionWire): { readonly wire: ExtensionWire; readonly answered: () => Promise<void> } {
  const pending = new Set<Promise<unknown>>();
  return {
    wire: {
      checkTrust: (post) => wire.checkTrust(post),
      close: () => wire.close(),
      post(post) {
        const reply = wire.post(post);
        const ended = reply.catch(() => undefined).finally(() => pending.delete(ended));
        pending.add(ended);
        return reply;
      },
    },
    answered: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

/** The same transport, which counts what is written to ExtensionConfigs. */
export function counting(transport: Transport): { readonly transport: Transport; readonly writes: readonly string[] } {
  const writes: string[] = [];
  const note = (verb: string, { resource }: { readonly resource: string }, name: string): void => {
    if (resource === "extensionconfigs") writes.push(`${verb} ${name}`);
  };
  const counted: Transport = {
    ...bound(transport),
    patch(resource, key, patch, options) {
      note("patch", resource, key.name);
      return transport.patch(resource, key, patch, options);
    },
    apply(resource, object, options) {
      note("apply", resource, object.metadata.name ?? "");
      return transport.apply(resource, object, options);
    },
  };
  return { transport: counted, writes };
}

/** A client on the same server in another name. */
export function clientOn(transport: Transport, fieldOwner: string): Client {
  return createClient(transport, { fieldOwner });
}

function bound(transport: Transport): Transport {
  return {
    get: (...call) => transport.get(...call),
    list: (...call) => transport.list(...call),
    watch: (...call) => transport.watch(...call),
    discover: (...call) => transport.discover(...call),
    create: (...call) => transport.create(...call),
    update: (...call) => transport.update(...call),
    patch: (...call) => transport.patch(...call),
    apply: (...call) => transport.apply(...call),
    delete: (...call) => transport.delete(...call),
    deleteCollection: (...call) => transport.deleteCollection(...call),
  };
}

function seen({ status }: ExtensionConfig): SeenDiscovery {
  const found = status?.conditions?.find(({ type }) => type === "Discovered");
  const handlers = (status?.handlers ?? []).map(({ name }) => name);
  return found === undefined ? { handlers } : { status: found.status, message: found.message, handlers };
}
