import { randomUUID } from "node:crypto";
import { createFakeClock, milliseconds, systemClock } from "#base";
import { createHttpTransport, loadConnection } from "#client";
import { fieldAt, isAlreadyExists, isNotFound, keyOf, type Kind, type KubeObject, type Transport } from "#machinery";
import type { Plane } from "./plane.ts";

const namespaces = { group: "", version: "v1", resource: "namespaces" };
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** Opens a plane on a real API server: in a namespace of its own, because others may use the server too. */
export async function openRealPlane(kinds: readonly Kind[], path: string | undefined): Promise<Plane> {
  if (path === undefined) throw new Error("a world on a real server needs the kubeconfig of one: npm run test:real");
  const transport = createHttpTransport(await loadConnection({ path }));
  await Promise.all(kinds.map((kind) => eventually(() => isServed(transport, kind))));
  const clusterWide = kinds.filter(({ namespaced }) => !namespaced);
  // What is in no namespace is left by the world before.
  for (const kind of clusterWide) await empty(transport, kind);
  const writes = countWrites(transport);
  const namespace = `world-${randomUUID().slice(0, 8)}`;
  await transport.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  return {
    way: "real",
    transport: writes.transport,
    clock: createFakeClock(systemClock.now()),
    namespace,
    // Every question to it costs more than in the process, and a test that moves time for hours would ask thousands.
    settle: () => Promise.resolve(writes.hasNew()),
    async uninstall(kind) {
      await writes.transport.delete(definitions, { name: kind.crd().metadata.name ?? "" });
      await eventually(() =>
        transport.list(kind.resource, { limit: 1 }).then(
          () => false,
          (error: unknown) => isNotFound(error),
        ),
      );
    },
    async [Symbol.asyncDispose]() {
      for (const kind of clusterWide) await empty(transport, kind);
      for (const kind of kinds) if (kind.namespaced) await letGo(transport, kind, namespace);
      for (const name of writes.newDefinitions) await transport.delete(definitions, { name }).catch(unlessGone);
      for (const name of writes.newDefinitions) await eventually(() => isGone(transport, name));
      await transport.delete(namespaces, { name: namespace });
      transport.close();
    },
  };
}

interface CountedWrites {
  readonly transport: Transport;
  /** Whether anything was written since it was last asked. */
  readonly hasNew: () => boolean;
  /** Kinds that came while a world ran, and that go with it. */
  readonly newDefinitions: ReadonlySet<string>;
}

/** The same transport, which knows what was written through it. */
function countWrites(transport: Transport): CountedWrites {
  let [begun, ended, seen] = [0, 0, 0];
  const newDefinitions = new Set<string>();
  const counted = async <Answer>(write: () => Promise<Answer>): Promise<Answer> => {
    begun += 1;
    try {
      return await write();
    } finally {
      ended += 1;
    }
  };
  return {
    newDefinitions,
    hasNew() {
      const isNew = begun !== ended || ended !== seen;
      seen = ended;
      return isNew;
    },
    transport: {
      get: (...call) => transport.get(...call),
      list: (...call) => transport.list(...call),
      watch: (...call) => transport.watch(...call),
      discover: (...call) => transport.discover(...call),
      create(resource, object, options) {
        if (resource.resource === definitions.resource) newDefinitions.add(object.metadata.name ?? "");
        return counted(() => transport.create(resource, object, options));
      },
      update: (...call) => counted(() => transport.update(...call)),
      patch: (...call) => counted(() => transport.patch(...call)),
      apply: (...call) => counted(() => transport.apply(...call)),
      delete: (...call) => counted(() => transport.delete(...call)),
      deleteCollection: (...call) => counted(() => transport.deleteCollection(...call)),
    },
  };
}

/** Makes the server serve a kind, and answers whether it does by now; one that is being taken away comes back. */
async function isServed(transport: Transport, kind: Kind): Promise<boolean> {
  const definition = kind.crd();
  try {
    const stored = await transport.get(definitions, { name: definition.metadata.name ?? "" });
    if (stored.metadata.deletionTimestamp !== undefined || !isEstablished(stored)) return false;
    await transport.list(kind.resource, { limit: 1 });
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await transport.create(definitions, definition).catch(unlessThere);
    return false;
  }
}

async function isGone(transport: Transport, definition: string): Promise<boolean> {
  return (await transport.get(definitions, { name: definition }).catch(unlessGone)) === undefined;
}

function isEstablished(definition: KubeObject): boolean {
  const conditions = fieldAt(definition, "status", "conditions");
  const isTrue = (one: unknown) => fieldAt(one, "type") === "Established" && fieldAt(one, "status") === "True";
  return Array.isArray(conditions) && conditions.some(isTrue);
}

async function empty(transport: Transport, kind: Kind): Promise<void> {
  await letGo(transport, kind);
  await transport.deleteCollection(kind.resource).catch(unlessGone);
  await eventually(async () => (await transport.list(kind.resource, { limit: 1 })).items.length === 0);
}

/** Nobody is left who would take finalizers away. */
async function letGo(transport: Transport, kind: Kind, namespace?: string): Promise<void> {
  const list = await transport.list(kind.resource, namespace === undefined ? {} : { namespace }).catch(unlessGone);
  const held = list?.items.filter(({ metadata }) => (metadata.finalizers ?? []).length > 0) ?? [];
  const patch = { kind: "merge", patch: { metadata: { finalizers: null } } } as const;
  for (const object of held) await transport.patch(kind.resource, keyOf(object), patch).catch(unlessGone);
}

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function unlessThere(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
}

/** A server that others run says nothing when it is done, so that it has to be asked again. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await systemClock.sleep(milliseconds(50));
}
