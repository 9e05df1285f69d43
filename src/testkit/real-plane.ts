import { randomUUID } from "node:crypto";
import { createFakeClock, systemClock } from "#base";
import { createHttpTransport, loadConnection } from "#client";
import { keyOf, type Kind, type Transport } from "#machinery";
import type { Plane } from "./plane.ts";
import { eventually, installDefinition, uninstallDefinition, unlessGone } from "./real-definitions.ts";

const namespaces = { group: "", version: "v1", resource: "namespaces" };

/** Opens a plane on a real API server: in a namespace of its own, because others may use the server too. */
export async function openRealPlane(kinds: readonly Kind[], path: string | undefined): Promise<Plane> {
  if (path === undefined) throw new Error("a world on a real server needs the kubeconfig of one: npm run test:real");
  const transport = createHttpTransport(await loadConnection({ path }));
  await Promise.all(kinds.map((kind) => installDefinition(transport, kind.crd())));
  const clusterWide = kinds.filter(({ namespaced }) => !namespaced);
  // What is in no namespace is left by the world before.
  for (const kind of clusterWide) await empty(transport, kind);
  const writes = countWrites(transport);
  const newDefinitions = new Set<string>();
  const namespace = `world-${randomUUID().slice(0, 8)}`;
  await transport.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  return {
    way: "real",
    transport: writes.transport,
    clock: createFakeClock(systemClock.now()),
    namespace,
    // Every question to it costs more than in the process, and a test that moves time for hours would ask thousands.
    settle: () => Promise.resolve(writes.hasNew()),
    async install(definition) {
      newDefinitions.add(definition.metadata.name ?? "");
      await installDefinition(writes.transport, definition);
    },
    uninstall: (name) => uninstallDefinition(writes.transport, name),
    async [Symbol.asyncDispose]() {
      for (const kind of clusterWide) await empty(transport, kind);
      for (const kind of kinds) if (kind.namespaced) await letGo(transport, kind, namespace);
      for (const name of newDefinitions) await uninstallDefinition(transport, name);
      await transport.delete(namespaces, { name: namespace });
      transport.close();
    },
  };
}

interface CountedWrites {
  readonly transport: Transport;
  /** Whether anything was written since it was last asked. */
  readonly hasNew: () => boolean;
}

/** The same transport, which knows what was written through it. */
function countWrites(transport: Transport): CountedWrites {
  let [begun, ended, seen] = [0, 0, 0];
  const counted = async <Answer>(write: () => Promise<Answer>): Promise<Answer> => {
    begun += 1;
    try {
      return await write();
    } finally {
      ended += 1;
    }
  };
  return {
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
      create: (...call) => counted(() => transport.create(...call)),
      update: (...call) => counted(() => transport.update(...call)),
      patch: (...call) => counted(() => transport.patch(...call)),
      apply: (...call) => counted(() => transport.apply(...call)),
      delete: (...call) => counted(() => transport.delete(...call)),
      deleteCollection: (...call) => counted(() => transport.deleteCollection(...call)),
    },
  };
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
