import { describe, expect, test } from "vitest";
import { Registry } from "prom-client";
import { minutes, seconds } from "#base";
import type { KubeObject, ObjectKey } from "#machinery";
import { scenario } from "#testkit";
import { defineStep } from "../pass/step.ts";
import { generationChanged, lacksAnnotation } from "../predicates.ts";
import { defineReconciler } from "../reconciler.ts";
import { aLamp, Lamp, type LampFacts, Lit } from "../test-lamp.ts";
import { channel, owned, related } from "../watches.ts";

const ConfigMap = { group: "", version: "v1", kind: "ConfigMap" };
const Secret = { group: "", version: "v1", kind: "Secret" };

function configMap(name: string, lamp: string, metadata: Partial<KubeObject["metadata"]> = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data: { lamp } };
}

function lampOf({ metadata, ...object }: KubeObject): readonly ObjectKey[] {
  const { lamp } = (object as { data?: { lamp?: string } }).data ?? {};
  return lamp === undefined ? [] : [{ ...(metadata.namespace && { namespace: metadata.namespace }), name: lamp }];
}

const quiet = {
  name: "lamp",
  kind: Lamp,
  facts: (): LampFacts => ({ power: true }),
  steps: [],
  conditions: [Lit],
} as const;

describe("a controller", () => {
  test("is woken by related objects, by those that a change leaves behind, and not by what its predicate refuses", async (t) => {
    const reconciler = defineReconciler<Lamp, LampFacts>({
      ...quiet,
      watches: [related(ConfigMap, lampOf, { predicate: lacksAnnotation("ignored") })],
    });
    await using world = await scenario(t, { kinds: [Lamp], controllers: (manager) => manager.add(reconciler, {}) });
    await world.apply(aLamp("a"), aLamp("b"));
    await world.settle();
    const passes = () => ["a", "b"].map((name) => world.passes(Lamp, name).length);
    const before = passes();
    await world.apply(configMap("c", "a"));
    await world.settle();
    expect(passes()).toEqual([Number(before[0]) + 1, before[1]]);
    await world.apply(configMap("c", "b"));
    await world.settle();
    expect(passes()).toEqual([Number(before[0]) + 2, Number(before[1]) + 1]);
    await world.apply(configMap("d", "a", { annotations: { ignored: "yes" } }));
    await world.settle();
    expect(passes()).toEqual([Number(before[0]) + 2, Number(before[1]) + 1]);
  });

  test("asks again whom a change concerns until somebody can tell", async (t) => {
    let failures = 2;
    const unsure = (object: KubeObject) =>
      failures-- > 0 ? Promise.reject(new Error("nobody knows")) : Promise.resolve(lampOf(object));
    const reconciler = defineReconciler<Lamp, LampFacts>({
      ...quiet,
      predicate: generationChanged,
      watches: [related(ConfigMap, unsure, { predicate: ({ object }) => object.metadata.name === "c" })],
    });
    await using world = await scenario(t, { kinds: [Lamp], controllers: (manager) => manager.add(reconciler, {}) });
    await world.apply(aLamp("a"));
    await world.settle();
    await world.apply(configMap("c", "a"));
    await world.clock.advance(seconds(1));
    await world.settle();
    expect(world.passes(Lamp, "a")).toHaveLength(2);
  });

  test("writes what it has to say however often others get in between, without any time passing", async (t) => {
    let interruptions = 4;
    let touch: () => Promise<unknown> = () => Promise.resolve();
    await using world = await scenario(t, {
      kinds: [Lamp],
      way: "in-process",
      plugins: [
        {
          name: "meddler",
          handles: ({ resource, subresource }) => resource.resource === "lamps" && subresource === "status",
          validate: async () => {
            if (interruptions-- > 0) await touch();
          },
        },
      ],
      controllers: (manager) => manager.add(defineReconciler<Lamp, LampFacts>(quiet), {}),
    });
    const patch = () => ({ metadata: { annotations: { interruptions: `${interruptions}` } } });
    const lamp = { namespace: world.namespace, name: "a" };
    touch = () => world.client.patch(Lamp, lamp, { kind: "merge", patch: patch() });
    await world.apply(aLamp("a"));
    await world.settle();
    expect(interruptions).toBeLessThan(0);
    expect(world.condition(Lamp, "a", "Lit")).toMatchObject({ status: "True" });
  });

  test("counts whoever throws when asked whom a change concerns, and asks the others meanwhile", async (t) => {
    let failures = 2;
    const throwing = (object: KubeObject) => {
      if (failures-- > 0) throw new TypeError("nobody thought of this");
      return lampOf(object);
    };
    const toB = ({ metadata }: KubeObject) => [{ namespace: metadata.namespace ?? "", name: "b" }];
    const predicate = ({ object }: { readonly object: KubeObject }) => object.metadata.name === "c";
    const reconciler = defineReconciler<Lamp, LampFacts>({
      ...quiet,
      predicate: generationChanged,
      watches: [related(ConfigMap, throwing, { predicate }), related(ConfigMap, toB, { predicate })],
    });
    const registry = new Registry();
    await using world = await scenario(t, {
      kinds: [Lamp],
      manager: { registry },
      controllers: (manager) => manager.add(reconciler, {}),
    });
    await world.apply(aLamp("a"), aLamp("b"));
    await world.settle();
    await world.apply(configMap("c", "a"));
    await world.settle();
    const passes = () => ["a", "b"].map((name) => world.passes(Lamp, name).length);
    expect(passes()).toEqual([1, 2]);
    await world.advance(seconds(1));
    expect(passes()).toEqual([2, 2]);
    expect(await registry.metrics()).toMatch('capstan_watch_mapping_errors_total{controller="lamp"} 2');
  });

  test("is woken by what it owns and by channels", async (t) => {
    let tell: (key: ObjectKey) => void = () => undefined;
    const source = { name: "somewhere", subscribe: (listener: typeof tell) => void (tell = listener) };
    const make = defineStep<Lamp, LampFacts>({
      name: "make",
      text: "make a Secret",
      async run({ object, client, reader }) {
        const { uid = "", namespace = "", name = "" } = object.metadata;
        if ((await reader.find(Secret, { namespace, name })) !== undefined) return;
        const owner = { apiVersion: object.apiVersion, kind: "Lamp", name, uid, controller: true };
        const metadata = { namespace, name, ownerReferences: [owner] };
        await client.create(Secret, { apiVersion: "v1", kind: "Secret", metadata });
      },
    });
    const reconciler = defineReconciler<Lamp, LampFacts>({
      ...quiet,
      steps: [make],
      watches: [owned(Secret), channel(source)],
    });
    await using world = await scenario(t, { kinds: [Lamp], controllers: (manager) => manager.add(reconciler, {}) });
    await world.apply(aLamp("a"));
    await world.settle();
    expect(world.writes("Secret", "a")).toEqual([{ kind: "created" }]);
    await world.delete(Secret, "a");
    await world.settle();
    expect(world.writes("Secret", "a")).toEqual([{ kind: "created" }, { kind: "created" }]);
    const { length } = world.passes(Lamp, "a");
    tell({ namespace: world.namespace, name: "a" });
    await world.settle();
    expect(world.passes(Lamp, "a")).toHaveLength(length + 1);
  });

  test("learns at run time of kinds to watch, once each", async (t) => {
    const track = defineStep<Lamp, LampFacts>({
      name: "track",
      text: "watch ConfigMaps",
      async run({ watch }) {
        await watch(ConfigMap, lampOf);
        await watch(ConfigMap, () => Promise.reject(new Error("the first one stands")));
      },
    });
    const reconciler = defineReconciler<Lamp, LampFacts>({ ...quiet, steps: [track], predicate: generationChanged });
    await using world = await scenario(t, { kinds: [Lamp], controllers: (manager) => manager.add(reconciler, {}) });
    await world.apply(aLamp("a"));
    await world.settle();
    await world.apply(configMap("c", "a"));
    await world.settle();
    expect(world.passes(Lamp, "a")).toHaveLength(2);
  });

  test("keeps a pass from writing that was abandoned", async (t) => {
    let wake: () => void = () => undefined;
    const outcomes: unknown[] = [];
    const hang = defineStep<Lamp, LampFacts>({
      name: "hang",
      text: "wait for ever, and write then",
      async run({ object, client }) {
        if (object.metadata.name !== "hanging" || outcomes.length > 0) return;
        outcomes.push("began");
        await new Promise<void>((resolve) => (wake = resolve));
        const metadata = { namespace: object.metadata.namespace ?? "", name: "late" };
        await client.create(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata }).catch((error: unknown) => {
          outcomes.push(error);
        });
      },
    });
    const reconciler = defineReconciler<Lamp, LampFacts>({ ...quiet, steps: [hang] });
    await using world = await scenario(t, { kinds: [Lamp], controllers: (manager) => manager.add(reconciler, {}) });
    await world.client.create(Lamp, { ...aLamp("hanging"), metadata: { namespace: world.namespace, name: "hanging" } });
    await world.manager.caches.caughtUp();
    await world.clock.advance(minutes(1));
    await world.apply(aLamp("other"));
    await world.advance(seconds(1));
    expect(world.condition(Lamp, "other", "Lit")?.row).toBe("lit");
    expect(world.condition(Lamp, "hanging", "Lit")?.row).toBe("lit");
    wake();
    await world.settle();
    expect(outcomes).toMatchObject(["began", { code: "PASS_DEADLINE_EXCEEDED" }]);
    expect(await world.find(ConfigMap, "late")).toBeUndefined();
  });

  test("lets go of deleted objects step by step, and tells people about it", async (t) => {
    let isFree = false;
    const unplug = defineStep<Lamp, LampFacts>({
      name: "unplug",
      text: "wait until the cable is free",
      run({ events }) {
        events.record("Normal", "Unplugging", "The cable is being pulled");
        return isFree ? undefined : { kind: "requeue", after: seconds(5), why: "the cable is stuck" };
      },
    });
    const reconciler = defineReconciler<Lamp, LampFacts>({
      ...quiet,
      onDelete: [unplug],
      finalizer: "test.capstan.dev/lamp",
    });
    await using world = await scenario(t, { kinds: [Lamp], controllers: (manager) => manager.add(reconciler, {}) });
    await world.apply(aLamp("a"));
    await world.settle();
    await world.delete(Lamp, "a");
    await world.settle();
    expect((await world.get(Lamp, "a")).metadata.deletionTimestamp).toBeDefined();
    isFree = true;
    await world.advance(seconds(5));
    expect(await world.find(Lamp, "a")).toBeUndefined();
    const { items } = await world.client.list({ group: "", version: "v1", kind: "Event" });
    expect(items).toMatchObject([{ reason: "Unplugging", count: 3, involvedObject: { kind: "Lamp", name: "a" } }]);
  });
});
