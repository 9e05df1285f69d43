import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { once } from "node:events";
import { Cluster, DevCluster, DevMachine, labels, Machine } from "#api";
import { createLogger, seconds, systemClock } from "#base";
import { fieldAt, type KubeObject } from "#machinery";
import { breakAnnotations, createWorkloadServers, devCluster, devMachine } from "#providers";
import { scenario, type ScenarioOptions, type World } from "#testkit";
import { expect, test, type TestContext } from "vitest";

const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => true } });
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";

/** A world in which only the development provider works: a test says what the Cluster and its Machines say. */
async function providerWorld(t: TestContext, manager: ScenarioOptions["manager"] = {}): Promise<World> {
  const servers = createWorkloadServers({
    clock: systemClock,
    log,
    random: () => 0.5,
    uuid: randomUUID,
    host: "127.0.0.1",
  });
  t.onTestFinished(() => servers[Symbol.asyncDispose]());
  return await scenario(t, {
    kinds: [Cluster, Machine, DevCluster, DevMachine],
    way: "in-process",
    startsAt: systemClock.now(),
    manager,
    controllers: (its) => {
      its.add(devCluster, { servers });
      its.add(devMachine, { servers });
    },
  });
}

function aCluster({ provisioned, initialized, now }: { provisioned: boolean; initialized: boolean; now: string }) {
  const condition = { type: "ControlPlaneInitialized", reason: "Initialized", message: "", lastTransitionTime: now };
  return {
    apiVersion: Cluster.apiVersion,
    kind: "Cluster",
    metadata: { name: "c1" },
    spec: { infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevCluster", name: "c1" } },
    status: {
      initialization: { infrastructureProvisioned: provisioned },
      conditions: [{ ...condition, status: initialized ? "True" : "False" }],
    },
  };
}

interface MachineParts {
  readonly isControlPlane?: boolean;
  readonly bootstrap?: object;
}

function aMachine(name: string, { isControlPlane = false, bootstrap = { dataSecretName: "data" } }: MachineParts = {}) {
  return {
    apiVersion: Machine.apiVersion,
    kind: "Machine",
    metadata: {
      name,
      labels: { [labels.clusterName]: "c1", ...(isControlPlane ? { [labels.controlPlane]: "" } : {}) },
    },
    spec: {
      clusterName: "c1",
      bootstrap,
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name },
    },
  };
}

const startup = { provisioning: { startupDuration: "10s" } };

/** The infrastructure of an object that is there already. */
async function apply(world: World, owner: KubeObject, parts: object = {}): Promise<void> {
  await world.apply(owner);
  const { kind, metadata } = await world.get(owner.kind, owner.metadata.name ?? "");
  const { name = "", uid = "" } = metadata;
  const ownerReferences = [{ apiVersion: Cluster.apiVersion, kind, name, uid, controller: true }];
  const object = {
    apiVersion: infrastructure,
    kind: kind === "Cluster" ? "DevCluster" : "DevMachine",
    // Held, so that it can be looked at on its way out.
    metadata: { name, labels: { [labels.clusterName]: "c1" }, ownerReferences, finalizers: ["test.capstan.dev/hold"] },
    spec:
      kind === "Cluster" ? { backend: { inMemory: {} } } : { backend: { inMemory: { vm: startup, node: startup } } },
  };
  await world.apply({ ...object, ...parts });
  await world.settle();
}

function rowOf(world: World, kind: string, name: string, type: string): string | undefined {
  return world.condition(kind, name, type)?.row;
}

/** The rows that have judged the last pass over a DevMachine: its machine, its Node, and both together. */
function rowsOf(world: World, name: string): readonly (string | undefined)[] {
  return ["VMProvisioned", "NodeProvisioned", "Ready"].map((type) => rowOf(world, "DevMachine", name, type));
}

test("a simulated machine waits for all that it needs, starts, lets its Node join, and goes", async (t) => {
  await using world = await providerWorld(t);
  const { now } = world;
  await apply(world, aCluster({ now, provisioned: false, initialized: false }));
  await apply(world, aMachine("cp", { isControlPlane: true, bootstrap: { configRef: nobodysConfig } }));
  await apply(world, aMachine("w"));
  expect(rowsOf(world, "cp")).toEqual(["waiting-for-infrastructure", "waiting-for-vm", "not-ready"]);
  expect(rowsOf(world, "w")).toEqual(["waiting-for-control-plane", "waiting-for-vm", "not-ready"]);

  await world.apply(aCluster({ now, provisioned: true, initialized: false }));
  await world.settle();
  expect(rowsOf(world, "cp")).toEqual(["waiting-for-bootstrap-data", "waiting-for-vm", "not-ready"]);

  await world.apply(aMachine("cp", { isControlPlane: true }));
  await world.settle();
  expect(rowsOf(world, "cp")).toEqual(["starting", "waiting-for-vm", "not-ready"]);
  await world.advance(seconds(10));
  expect(rowsOf(world, "cp")).toEqual(["provisioned", "starting", "not-ready"]);
  await world.advance(seconds(10));
  expect(rowsOf(world, "cp")).toEqual(["provisioned", "provisioned", "ready"]);

  await world.apply(aCluster({ now, provisioned: true, initialized: true }));
  await world.advance(seconds(20));
  expect(rowsOf(world, "w")).toEqual(["provisioned", "provisioned", "ready"]);

  await world.delete(DevMachine, "w");
  await world.settle();
  expect(rowsOf(world, "w")).toEqual(["not-looked-keep", "not-looked-keep", "ready"]);
});

test("a simulated machine whose Machine its manager is not told of waits for it", async (t) => {
  const selection = { labelSelector: `${labels.watchFilter}=mine` };
  await using world = await providerWorld(t, { cacheKinds: [{ kind: Machine, selection }] });
  await world.apply(aCluster({ now: world.now, provisioned: true, initialized: true }));
  const machine = aMachine("w");
  await apply(world, machine);
  expect(rowsOf(world, "w")).toEqual(["no-machine", "waiting-for-vm", "not-ready"]);
  expect(world.condition("DevMachine", "w", "VMProvisioned")).toMatchObject({
    reason: "WaitingForBootstrapData",
    message: "The Machine that owns this DevMachine is not there",
  });

  const { metadata } = machine;
  const told = { ...metadata, labels: { ...metadata.labels, [labels.watchFilter]: "mine" } };
  await world.apply({ ...machine, metadata: told });
  await world.settle();
  expect(rowOf(world, "DevMachine", "w", "VMProvisioned")).toBe("starting");
});

test("a simulated machine says that its Node cannot join while its cluster has no server", async (t) => {
  await using world = await providerWorld(t);
  await world.apply(aCluster({ now: world.now, provisioned: true, initialized: true }));
  await apply(world, aMachine("w"));
  await world.advance(seconds(20));
  expect(rowsOf(world, "w")).toEqual(["provisioned", "failed", "unknown"]);
});

test("a simulated cluster says whether its server answers, why it does not, and keeps that to the end", async (t) => {
  await using world = await providerWorld(t);
  const ready = () => rowOf(world, "DevCluster", "c1", "Ready");
  await apply(world, aCluster({ now: world.now, provisioned: false, initialized: false }));
  expect(ready()).toBe("ready");

  const annotate = async (value: string | null): Promise<void> => {
    const patch = { metadata: { annotations: { [breakAnnotations.apiServer]: value } } };
    await world.client.patch(DevCluster, { namespace: world.namespace, name: "c1" }, { kind: "merge", patch });
    await world.settle();
  };
  await annotate("stopped");
  expect(ready()).toBe("stopped");

  await world.delete(DevCluster, "c1");
  await world.settle();
  expect(ready()).toBe("not-looked-keep");
});

test("a simulated cluster whose port is taken says so, and has it when it is free", async (t) => {
  await using world = await providerWorld(t);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const port = fieldAt(other.address(), "port");
  const cluster = aCluster({ now: world.now, provisioned: false, initialized: false });
  await apply(world, cluster, {
    spec: { backend: { inMemory: {} }, controlPlaneEndpoint: { host: "127.0.0.1", port } },
  });
  expect(rowOf(world, "DevCluster", "c1", "Ready")).toBe("failed");
  expect(world.condition("DevCluster", "c1", "Ready")?.message).toContain("EADDRINUSE");

  other.close();
  await once(other, "close");
  await world.advance(seconds(30));
  expect(rowOf(world, "DevCluster", "c1", "Ready")).toBe("ready");
});

const nobodysConfig = { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfig", name: "nobody" };
