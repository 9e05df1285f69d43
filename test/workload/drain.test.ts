import { describe, expect, test } from "vitest";
import { createLogger, describeError, parseTimestamp, seconds, systemClock } from "#base";
import { dumpReader } from "#control";
import type { KubeObject, ObjectMeta, Transport } from "#machinery";
import { attachedVolumes, drainMessage, drainNode, type DrainResult, Node, volumesMessage } from "#workload";
import { openWorkloadServer } from "./workload-server.ts";
import { clusterKey, openWorld } from "./world.ts";

const core = (resource: string) => ({ group: "", version: "v1", resource });
const attachments = { group: "storage.k8s.io", version: "v1", resource: "volumeattachments" };
const budgets = { group: "policy", version: "v1", resource: "poddisruptionbudgets" };
const daemonSets = { group: "apps", version: "v1", resource: "daemonsets" };
const startedAt = parseTimestamp("2026-01-01T00:00:00Z");
const asStatus = { subresource: "status" };
const machine = { metadata: { namespace: "default", name: "m1", labels: { pool: "a" } } };
const cluster = { metadata: { namespace: "default", name: "c1" } };

describe("draining a Node", () => {
  test("cordons it, evicts in order and says what it waits for", async () => {
    await using world = await openNode();
    const { transport } = world;
    await createPod(transport, "web", { labels: { app: "web" } });
    await createPod(transport, "db", { labels: { app: "db" } });
    await createPod(transport, "job", { labels: { "cluster.x-k8s.io/drain": "wait-completed" } });
    await createPod(transport, "keep", { labels: { "cluster.x-k8s.io/drain": "skip" } });
    const rules = [aRule("databases-last", { app: "db" }, 10)];

    const first = await world.drain(rules);
    expect(await transport.get(core("nodes"), { name: "n1" })).toHaveProperty("spec.unschedulable", true);
    expect(messageOf(first)).toBe(
      [
        "Drain not completed yet (started at 2026-01-01T00:00:00Z):",
        "* Pod default/web: deletionTimestamp set, but still not removed from the Node",
        "* Pod default/job: waiting for completion",
        "After above Pods have been removed from the Node, the following Pods will be evicted: default/db",
      ].join("\n"),
    );
    expect(await names(transport)).toEqual(["db", "job", "keep", "web"]);

    // The kubelet has ended the first one, and the job has done its work.
    await end(transport, "web");
    await finish(transport, "job");
    expect(messageOf(await world.drain(rules))).toContain("* Pod default/db: deletionTimestamp set");
    await end(transport, "db");
    expect(await world.drain(rules)).toEqual({ kind: "drained" });
    expect(await names(transport)).toEqual(["job", "keep"]);
  });

  test("leaves a Pod that its budget needs, and says which budget", async () => {
    await using world = await openNode();
    await createPod(world.transport, "web", { labels: { app: "web" } }, "Running");
    await world.transport.create(budgets, {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { namespace: "default", name: "web" },
      spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
    });
    const counted = {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
    };
    const key = { namespace: "default", name: "web" };
    await world.transport.patch(budgets, key, { kind: "merge", patch: { status: counted } }, asStatus);
    expect(messageOf(await world.drain())).toBe(
      [
        "Drain not completed yet (started at 2026-01-01T00:00:00Z):",
        "* Pod default/web: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently",
      ].join("\n"),
    );
  });

  test("leaves Pods of DaemonSets and static ones alone", async () => {
    await using world = await openNode();
    const template = { metadata: { labels: { app: "proxy" } }, spec: { containers: [container] } };
    const { metadata } = await world.transport.create(daemonSets, {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { namespace: "default", name: "proxy" },
      spec: { selector: { matchLabels: { app: "proxy" } }, template },
    });
    const owner = {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      name: "proxy",
      uid: metadata.uid ?? "",
      controller: true,
    };
    await createPod(world.transport, "proxy", { ownerReferences: [owner] });
    await createPod(world.transport, "static", { annotations: { "kubernetes.io/config.mirror": "x" } });
    expect(await world.drain()).toEqual({ kind: "drained" });
    expect(await names(world.transport)).toEqual(["proxy", "static"]);
  });

  test("does not wait for the kubelet of a Node that is unreachable", async () => {
    await using world = await openNode();
    const unknown = { conditions: [{ type: "Ready", status: "Unknown", lastTransitionTime: "2026-01-01T00:00:00Z" }] };
    await world.transport.patch(core("nodes"), { name: "n1" }, { kind: "merge", patch: { status: unknown } }, asStatus);
    await world.settled((node) => JSON.stringify(node).includes("Unknown"));
    await createPod(world.transport, "web", {});
    expect((await world.drain()).kind).toBe("draining");
    const later = { ...systemClock, instant: () => systemClock.instant() + seconds(3) };
    expect(await world.drain([], "n1", later)).toEqual({ kind: "drained" });
    expect(await names(world.transport)).toEqual(["web"]);
  });

  test("is done where the Node is gone", async () => {
    await using world = await openNode();
    expect(await world.drain([], "n2")).toEqual({ kind: "node-gone" });
  });

  test("fails where a rule cannot be understood", async () => {
    await using world = await openNode();
    await createPod(world.transport, "web", {});
    const rule = aRule("odd", { "not a label": "x" }, 0);
    const error = await world.drain([rule]).catch((thrown: unknown) => describeError(thrown));
    expect(error).toMatch(
      /^failed to get Pods for eviction: failed to get matching MachineDrainRules: invalid selectors in MachineDrainRule odd: /,
    );
    expect(await names(world.transport)).toEqual(["web"]);
  });
});

test("volumes are waited for, except those of Pods that stay", async () => {
  await using world = await openNode();
  const { transport } = world;
  expect(await world.volumes()).toBeUndefined();
  for (const [name, claim] of [
    ["pv1", "data"],
    ["pv2", "kept"],
    ["pv3", undefined],
  ] as const)
    await createVolume(transport, name, claim);
  for (const name of ["pv1", "pv2", "pv3", "pv9"]) await attach(transport, name);
  const volumesAttached = [
    { name: "kubernetes.io/csi/csi.example^pv1", devicePath: "" },
    { name: "kubernetes.io/csi/csi.example^lost", devicePath: "" },
  ];
  const patch = { kind: "merge", patch: { status: { volumesAttached } } } as const;
  await transport.patch(core("nodes"), { name: "n1" }, patch, asStatus);
  const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "kept" } }];
  await createPod(transport, "keep", { labels: { "cluster.x-k8s.io/drain": "skip" } }, undefined, { volumes });

  const waited = await world.volumes();
  expect(waited).toEqual({
    claims: ["default/data"],
    unclaimed: ["pv3"],
    unknownToVolumes: ["kubernetes.io/csi/csi.example^lost"],
    missing: ["pv9"],
  });
  expect(waited && volumesMessage(waited, startedAt)).toContain("* PersistentVolumeClaims: default/data\n");
});

const container = { name: "c", image: "registry.example/pause:3.9" };
const quiet = createLogger({
  format: "text",
  level: "error",
  clock: systemClock,
  destination: { write: () => undefined },
});

/** A connected cluster with one Node. */
async function openNode() {
  const server = await openWorkloadServer();
  const world = openWorld();
  const { transport } = server;
  await transport.create(core("nodes"), { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } });
  await transport
    .create(core("serviceaccounts"), {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { namespace: "default", name: "default" },
    })
    .catch(() => undefined);
  world.put("c1", server.kubeconfig());
  await world.pass(1);
  const c1 = clusterKey("c1");
  return {
    transport,
    async drain(rules: readonly KubeObject[] = [], nodeName = "n1", clock = systemClock): Promise<DrainResult> {
      const { cache } = world;
      const ports = { client: cache.client(c1), reader: cache.reader(c1), management: dumpReader(rules) };
      return await drainNode(nodeName, { machine, cluster }, { ...ports, clock, log: quiet });
    },
    async volumes() {
      const reads = { client: world.cache.client(c1), management: dumpReader([]), clock: systemClock };
      return await attachedVolumes("n1", { machine, cluster }, reads);
    },
    /** Resolves once the cache has heard of the Node what a test waits for. */
    async settled(holds: (node: KubeObject) => boolean): Promise<void> {
      await new Promise<void>((resolve) => {
        world.cache.watch(c1, {
          name: "test",
          kind: Node,
          onChange: ({ object }) => (holds(object) ? resolve() : undefined),
        });
      });
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function messageOf(result: DrainResult): string {
  return result.kind === "draining" ? drainMessage(result.evictions, startedAt) : result.kind;
}

async function names(transport: Transport): Promise<readonly string[]> {
  const { items } = await transport.list(core("pods"), { namespace: "default" });
  return items.map(({ metadata }) => metadata.name ?? "").toSorted();
}

async function createPod(
  transport: Transport,
  name: string,
  metadata: ObjectMeta,
  phase?: string,
  spec: object = {},
): Promise<void> {
  await transport.create(core("pods"), {
    apiVersion: "v1",
    kind: "Pod",
    // What the kubelet would take its time for, the test decides.
    metadata: { namespace: "default", name, finalizers: ["test.example/kubelet"], ...metadata },
    spec: { nodeName: "n1", containers: [container], ...spec },
  });
  if (phase !== undefined) await setPhase(transport, name, phase);
}

async function end(transport: Transport, name: string): Promise<void> {
  const patch = { kind: "merge", patch: { metadata: { finalizers: null } } } as const;
  await transport.patch(core("pods"), { namespace: "default", name }, patch);
}

async function finish(transport: Transport, name: string): Promise<void> {
  await setPhase(transport, name, "Succeeded");
}

async function setPhase(transport: Transport, name: string, phase: string): Promise<void> {
  const conditions = [{ type: "Ready", status: "True" }];
  const patch = { kind: "merge", patch: { status: { phase, conditions } } } as const;
  await transport.patch(core("pods"), { namespace: "default", name }, patch, asStatus);
}

async function createVolume(transport: Transport, name: string, claim: string | undefined): Promise<void> {
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "default", name: claim };
  await transport.create(core("persistentvolumes"), {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "csi.example", volumeHandle: name },
      ...(claim === undefined ? {} : { claimRef }),
    },
  });
}

async function attach(transport: Transport, persistentVolumeName: string): Promise<void> {
  const name = `attach-${persistentVolumeName}`;
  await transport.create(attachments, {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    metadata: { name },
    spec: { attacher: "csi.example", nodeName: "n1", source: { persistentVolumeName } },
  });
  await transport.patch(attachments, { name }, { kind: "merge", patch: { status: { attached: true } } }, asStatus);
}

function aRule(name: string, matchLabels: Readonly<Record<string, string>>, order: number): KubeObject {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "MachineDrainRule",
    metadata: { namespace: "default", name },
    spec: {
      drain: { behavior: "Drain", order },
      machines: [{ selector: { matchLabels: { pool: "a" } } }],
      pods: [{ selector: { matchLabels } }],
    },
  };
}
