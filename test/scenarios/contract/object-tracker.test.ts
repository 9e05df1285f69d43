import { expect, test } from "vitest";
import { createLogger, describeError, type Logger, minutes, seconds, systemClock } from "#base";
import {
  definitionsInMemory,
  getObjectFromContractVersionedRef,
  ObjectTracker,
  ownerReferenceTo,
  ownersOf,
} from "#contract";
import { defineReconciler, defineStep, type Manager } from "#control";
import { defineKind, type Json, type KubeObject, type ObjectOf, s } from "#machinery";
import { scenario, type World } from "#testkit";

const machines = { group: "infra.example.com", version: "v1", kind: "FooMachine" };
const definition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "foomachines.infra.example.com", labels: { "cluster.x-k8s.io/v1beta2": "v1" } },
  spec: {
    group: "infra.example.com",
    scope: "Namespaced",
    names: { kind: "FooMachine", plural: "foomachines" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

const fields = { spec: s.object({ machine: s.string() }) };
const names = { group: "test.example.com", version: "v1" } as const;
const Crew = defineKind({ ...names, kind: "Crew", plural: "crews", description: "A crew on a machine.", fields });
const Ship = defineKind({ ...names, kind: "Ship", plural: "ships", description: "A ship with a machine.", fields });

type OnMachine = ObjectOf<typeof Crew> | ObjectOf<typeof Ship>;

interface Ports {
  readonly tracker: ObjectTracker;
  /** Lets nobody through before everybody is there. */
  readonly meet: () => Promise<void>;
}

const aCrew = { apiVersion: "test.example.com/v1", kind: "Crew", metadata: { name: "c" }, spec: { machine: "m" } };
const aShip = { ...aCrew, kind: "Ship", metadata: { name: "s" } };

test("two reconcilers share one informer on a kind that comes at run time, goes and comes back", async (t) => {
  const lines: string[] = [];
  const log = createLogger({
    format: "text",
    level: "info",
    clock: systemClock,
    destination: { write: (line) => lines.push(line) },
  });
  await using world = await scenario(t, {
    kinds: [Crew, Ship],
    manager: { log, cacheKinds: [definitionsInMemory] },
    controllers: (manager) => addReconcilers(manager, log),
  });
  const watchesAdded = () => lines.filter((line) => line.includes("Adding watch on external object")).length;
  const informers = () => world.manager.caches.running.filter(({ kind }) => kind.kind === "FooMachine").length;
  const passesOfCrew = () => world.passes("Crew", "c").length;

  await world.apply(aCrew, aShip);
  await world.settle();
  expect(lastError(world, "Crew", "c")).toMatch(
    /^failed to get object from ref: failed to get CustomResourceDefinition/,
  );
  expect([watchesAdded(), informers()]).toEqual([0, 0]);

  await install(world);
  await world.advance(seconds(1));
  expect([lastError(world, "Crew", "c"), lastError(world, "Ship", "s")]).toEqual(["", ""]);
  expect([watchesAdded(), informers()]).toEqual([1, 1]);

  let before = passesOfCrew();
  await change(world, { spec: { size: 2 } });
  expect(passesOfCrew()).toBe(before + 1);

  before = passesOfCrew();
  await change(world, { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } });
  await change(world, { spec: { size: 3 } });
  expect(passesOfCrew()).toBe(before);
  await change(world, { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } });
  expect(passesOfCrew()).toBe(before + 1);

  await world.uninstall("foomachines.infra.example.com");
  await world.settle();
  expect(lastError(world, "Crew", "c")).toMatch(/not found$/);
  await world.advance(minutes(1));

  await install(world);
  await world.advance(minutes(5));
  expect(lastError(world, "Crew", "c")).toBe("");
  before = passesOfCrew();
  await change(world, { spec: { size: 4 } });
  expect(passesOfCrew()).toBe(before + 1);
  expect([watchesAdded(), informers()]).toEqual([1, 1]);
});

/** Both reconcilers ask one tracker, which adds its watches to the first. */
function addReconcilers(manager: Manager, predicateLogger: Logger): void {
  const tracker = new ObjectTracker({
    controller: { watch: async (...watch) => await manager.controllers[0]?.watch(...watch) },
    cache: manager.caches,
    scheme: [],
    predicateLogger,
  });
  const ports = { tracker, meet: gathering(2) };
  manager.add(watchingReconciler("crew", Crew), ports).add(watchingReconciler("ship", Ship), ports);
}

function watchingReconciler(name: string, kind: typeof Crew | typeof Ship) {
  const watchMachine = defineStep<OnMachine, object, Ports>({
    name: "watch-machine",
    text: "find the machine and watch its kind",
    async run({ object, reader, ports, log, signal }) {
      const ref = { apiGroup: "infra.example.com", kind: "FooMachine", name: object.spec.machine };
      const { namespace = "" } = object.metadata;
      const machine = await getObjectFromContractVersionedRef(reader, ref, { namespace, signal });
      await ports.meet();
      await ports.tracker.watch(machine, (changed) => ownersOf(changed, Crew), { log });
    },
  });
  return defineReconciler({ name, kind, facts: () => ({}), steps: [watchMachine], conditions: [] });
}

/** Makes the server serve machines, and makes one that belongs to the crew. */
async function install(world: World): Promise<void> {
  const { client, namespace } = world;
  await world.install(definition);
  await world.settle();
  client.mapper.forget();
  const owner = ownerReferenceTo(await client.get(Crew, { namespace, name: "c" }), { controller: false });
  await client.create(machines, {
    apiVersion: "infra.example.com/v1",
    kind: "FooMachine",
    metadata: { namespace, name: "m", ownerReferences: [owner] },
  });
}

async function change(world: World, patch: Json): Promise<void> {
  const { client, namespace } = world;
  await client.patch(machines, { namespace, name: "m" }, { kind: "merge", patch });
  await world.settle();
}

function lastError(world: World, kind: string, name: string): string {
  return (world.passes(kind, name).at(-1)?.errors ?? []).map(describeError).join();
}

function gathering(count: number): () => Promise<void> {
  let open: () => void = () => undefined;
  const allAreThere = new Promise<void>((resolve) => (open = resolve));
  let there = 0;
  return async () => {
    there += 1;
    if (there === count) open();
    await allAreThere;
  };
}
