import { annotations, defaultFeatureGates, ExtensionConfig, Machine } from "#api";
import { createLogger, describeError, minutes, seconds, systemClock } from "#base";
import {
  type Answer,
  createExtension,
  type ExtensionServer,
  proceed,
  refuse,
  type RequestOf,
  type RetryResponse,
  UpdateMachine,
  waitFor,
} from "#extensions";
import { createMachineUpdates } from "#reconcilers/machine";
import type { World } from "#testkit";
import { describe, expect, test, type TestContext } from "vitest";
import { type AddedExtensions, aConfig as anExtension, addExtensions } from "../extensions/extension-world.ts";
import {
  aCluster,
  aConfig,
  aMachine,
  anInfrastructure,
  machineWorld,
  TestConfig,
  TestMachine,
} from "./machine-world.ts";

const mark = { [annotations.updateInProgress]: "" };
const noted = { [annotations.pendingHooks]: "AfterClusterUpgrade,UpdateMachine" };
// Those who wait for the registry of extensions look again after so long.
const warm = seconds(10);

describe("a Machine that its owner wants updated in place", () => {
  test("is updating until the extension says that it is done, and nothing stays marked", async (t) => {
    await using scene = await updatingWorld(t);
    const { world, questions } = scene;
    scene.answer = waitFor(minutes(1), "draining caches");
    await markAll(world);
    expect(await told(world)).toEqual([
      "Updating",
      ["updating", "True", "InPlaceUpdating", "In-place update in progress: draining caches"],
    ]);
    expect(questions).toHaveLength(1);
    const { machine, infrastructureMachine, bootstrapConfig } = questions[0]?.desired ?? {};
    const marked = { ...keyIn(world), annotations: mark };
    expect(infrastructureMachine).toMatchObject({
      kind: "TestMachine",
      metadata: marked,
      spec: { providerID: "test://1" },
    });
    expect(bootstrapConfig).toMatchObject({ kind: "TestConfig", metadata: marked });
    expect(machine).toMatchObject({ kind: "Machine", spec: { clusterName: "c1" } });
    for (const desired of [machine, infrastructureMachine, bootstrapConfig]) {
      expect(desired).not.toHaveProperty("status");
      expect(Object.keys(desired?.metadata ?? {}).toSorted()).toEqual(["annotations", "labels", "name", "namespace"]);
    }

    // Whatever wakes the Machine before the time that the extension named, the extension is left alone.
    await world.client.patch(Machine, keyIn(world), {
      kind: "merge",
      patch: { metadata: { labels: { woken: "yes" } } },
    });
    await world.advance(seconds(59));
    expect(questions).toHaveLength(1);
    scene.answer = waitFor(minutes(1), "");
    await world.advance(seconds(1));
    expect(questions).toHaveLength(2);
    expect((await told(world))[1]).toEqual(["updating", "True", "InPlaceUpdating", "In-place update in progress"]);

    scene.answer = proceed;
    await world.advance(minutes(1));
    expect(questions).toHaveLength(3);
    expect(await told(world)).toEqual(["Running", ["not-updating", "False", "NotUpdating", ""]]);
    expect(await marks(world)).toEqual([{ [annotations.pendingHooks]: "AfterClusterUpgrade" }, {}, {}]);
    await world.advance(minutes(9));
    expect(questions).toHaveLength(3);
  });

  test("waits until everything is marked and the hook is noted", async (t) => {
    await using scene = await updatingWorld(t);
    const { world, questions } = scene;
    const running = ["Running", ["not-updating", "False", "NotUpdating", ""]];
    for (const [kind, annotated] of [
      [Machine, mark],
      [Machine, noted],
      [TestMachine, mark],
    ] as const) {
      await annotate(world, kind, annotated);
      expect(await told(world)).toEqual(running);
      expect(questions).toEqual([]);
    }
    await annotate(world, TestConfig, mark);
    expect(questions).toHaveLength(1);
    expect(await marks(world)).toEqual([{ [annotations.pendingHooks]: "AfterClusterUpgrade" }, {}, {}]);
  });

  test("is done without a word where its owner gives up", async (t) => {
    await using scene = await updatingWorld(t);
    const { world } = scene;
    scene.answer = waitFor(minutes(10), "");
    await markAll(world);
    await annotate(world, Machine, { [annotations.updateInProgress]: null });
    expect(await told(world)).toEqual(["Running", ["not-updating", "False", "NotUpdating", ""]]);
    expect(await marks(world)).toEqual([{ [annotations.pendingHooks]: "AfterClusterUpgrade" }, {}, {}]);
    // Who begins anew asks the extension, whatever it said the last time.
    await markAll(world);
    expect(scene.questions).toHaveLength(2);
  });

  test("says so where its infrastructure is gone", async (t) => {
    await using scene = await updatingWorld(t);
    const { world } = scene;
    await annotate(world, Machine, { ...mark, ...noted });
    await world.delete(TestMachine, "m1");
    await world.settle();
    const message = "In-place update not possible: InfraMachine not found";
    expect((await told(world))[1]).toEqual(["failed", "True", "InPlaceUpdateFailed", message]);
    expect(scene.questions).toEqual([]);
  });

  test("is left alone where the gate is shut", async (t) => {
    await using scene = await updatingWorld(t, { InPlaceUpdates: false });
    await markAll(scene.world);
    expect(await told(scene.world)).toEqual(["Running", ["not-updating", "False", "NotUpdating", ""]]);
    expect(scene.questions).toEqual([]);
  });
});

describe("an update in place that fails is told, and tried again ever more slowly", () => {
  const failed = [
    "Updating",
    ["failed", "True", "InPlaceUpdateFailed", "UpdateMachine hook failed: please check controller logs for errors"],
  ];
  // Pauses double from 5 milliseconds on: 17 tries in ten minutes, and all Machines are shown again once.
  const mostTries = 19;

  test("where the extension refuses, until it does not", async (t) => {
    await using scene = await updatingWorld(t);
    const { world } = scene;
    scene.answer = refuse("no room");
    await markAll(world);
    expect(await told(world)).toEqual(failed);
    const before = world.passes("Machine", "m1").length;
    await world.advance(minutes(10));
    expect(world.passes("Machine", "m1").length - before).toBeLessThanOrEqual(mostTries);
    scene.answer = proceed;
    await world.advance(minutes(17));
    expect((await told(world))[0]).toBe("Running");
  });

  test("where nobody can be asked", async (t) => {
    await using scene = await updatingWorld(t);
    const { world } = scene;
    await world.client.delete(ExtensionConfig, { name: "updater" });
    await world.settle();
    await markAll(world);
    expect(await told(world)).toEqual(failed);
    expect(lastErrors(world)).toContain("in-place update failed: no extensions registered for UpdateMachine hook");
  });

  test("where two could be asked, who might undo each other's work", async (t) => {
    await using scene = await updatingWorld(t);
    const { world, server } = scene;
    await world.apply(anExtension("other", { url: server.url, caBundle: server.caBundle }));
    await world.settle();
    await markAll(world);
    expect(await told(world)).toEqual(failed);
    const several = "found multiple UpdateMachine hooks (update.updater,update.other): only one hook is supported";
    expect(lastErrors(world)).toContain(`in-place update failed: ${several}`);
    expect(scene.questions).toEqual([]);
  });
});

const keyIn = ({ namespace }: World) => ({ namespace, name: "m1" });

interface UpdatingWorld extends AsyncDisposable {
  readonly world: World;
  readonly server: ExtensionServer;
  readonly questions: readonly RequestOf<typeof UpdateMachine>[];
  /** What the extension says when it is asked. */
  answer: Answer<RetryResponse>;
}

/** A Machine `m1` that runs, and an extension over HTTPS that is known. */
async function updatingWorld(t: TestContext, gates: Partial<typeof defaultFeatureGates> = {}): Promise<UpdatingWorld> {
  const questions: RequestOf<typeof UpdateMachine>[] = [];
  const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => true } });
  const extension = createExtension({ log }).on(UpdateMachine, "update", (question) => {
    questions.push(question);
    return scene.answer;
  });
  const server = await extension.listen({ host: "127.0.0.1" });
  const added: AddedExtensions[] = [];
  const world = await machineWorld(t, {
    kinds: [ExtensionConfig],
    settling: [async () => void (await Promise.all(added.map(({ answered }) => answered())))],
    ports(manager, { clock, client }) {
      const { extensions, answered } = addExtensions(manager, { clock, client, readOnly: false });
      added.push({ extensions, answered });
      const features = { ...defaultFeatureGates, InPlaceUpdates: true, ...gates };
      return { features, updates: createMachineUpdates({ extensions, clock }) };
    },
  });
  const scene: UpdatingWorld = {
    world,
    server,
    questions,
    answer: proceed,
    async [Symbol.asyncDispose]() {
      for (const { extensions } of added) extensions.close();
      await world[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  const workload = await world.workload("c1");
  await workload.addNode("n1", "test://1");
  const bootstrap = { configRef: { apiGroup: TestConfig.group, kind: "TestConfig", name: "m1" } };
  await world.apply(
    anExtension("updater", { url: server.url, caBundle: server.caBundle }),
    aCluster("c1", world),
    anInfrastructure("m1", "test://1"),
    aConfig("m1"),
    aMachine("m1", "c1", { spec: { bootstrap } }),
  );
  await world.advance(warm);
  expect(await told(world)).toEqual(["Running", ["not-updating", "False", "NotUpdating", ""]]);
  return scene;
}

type Patched = Readonly<Record<string, string | null>>;

async function markAll(world: World): Promise<void> {
  await annotate(world, TestMachine, mark);
  await annotate(world, TestConfig, mark);
  await annotate(world, Machine, { ...mark, ...noted });
}

async function annotate(world: World, kind: typeof Machine | typeof TestMachine, patched: Patched): Promise<void> {
  await world.client.patch(kind, keyIn(world), { kind: "merge", patch: { metadata: { annotations: patched } } });
  await world.settle();
}

async function told(world: World) {
  const { status } = await world.get(Machine, "m1");
  const { row, status: state, reason, message } = world.condition("Machine", "m1", "Updating") ?? {};
  return [status?.phase, [row, state, reason, message]];
}

/** What is left of the marks on the Machine, its infrastructure machine and its bootstrap config. */
async function marks(world: World) {
  const objects = [
    await world.get(Machine, "m1"),
    await world.get(TestMachine, "m1"),
    await world.get(TestConfig, "m1"),
  ];
  const ours = new Set<string>([annotations.updateInProgress, annotations.pendingHooks]);
  return objects.map(({ metadata }) =>
    Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => ours.has(name))),
  );
}

function lastErrors(world: World): readonly string[] {
  const { errors = [] } = world.passes("Machine", "m1").at(-1) ?? {};
  return errors.map(describeError);
}
