import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { awaitChange, CapstanError, ContextError, requeueAfter, retry, seconds } from "#base";
import { type Client, createClient } from "#client";
import { defineCondition, nothing, otherwise, True, Unknown } from "#conditions";
import { type EmbeddedServer, openEmbeddedServer } from "#testkit";
import { apiReader } from "../api-reader.ts";
import { defineReconciler, type ObjectDrafts, type Reconciler } from "../reconciler.ts";
import { aLamp, Lamp, type LampFacts, Lit, toolsFor } from "../test-lamp.ts";
import { factsOf } from "./facts-of.ts";
import { judged } from "./judgement.ts";
import { runPass } from "./run-pass.ts";
import { abandon, defineStep, stop } from "./step.ts";

const finalizer = "test.capstan.dev/lamp";

const plug = defineStep<Lamp, LampFacts, { readonly grid: boolean }>({
  name: "plug",
  text: "look whether there is a cable",
  learns: ["power"],
  observe: ({ object }) => (object.spec?.cable === undefined ? {} : { cable: object.spec.cable }),
  run({ object, status, ports, learn }) {
    learn({ power: ports.grid && object.spec?.cable !== undefined });
    if (object.spec?.watts !== undefined) status.watts = object.spec.watts;
  },
});

const unplug = defineStep<Lamp, LampFacts, { readonly unplugged: () => boolean }>({
  name: "unplug",
  text: "wait until the cable is free",
  run: ({ ports }) => (ports.unplugged() ? undefined : stop),
});

interface LampPorts {
  readonly grid: boolean;
  readonly unplugged: () => boolean;
}

const lamp = defineReconciler<Lamp, LampFacts, LampPorts>({
  name: "lamp",
  kind: Lamp,
  facts: (): LampFacts => ({ power: false }),
  steps: [plug],
  onDelete: [unplug],
  finalizer,
  conditions: [Lit],
});

let server: EmbeddedServer;
let client: Client;
beforeAll(async () => {
  server = await openEmbeddedServer({ kinds: [Lamp] });
  client = createClient(server.transport, { fieldOwner: "test" });
});
afterAll(() => server[Symbol.asyncDispose]());

let count = 0;
/** A lamp of its own for each test, and what happens to it in a pass. */
async function scene<Facts extends object, Ports>(
  reconciler: Reconciler<Lamp, Facts, Ports>,
  ports: Ports,
  { spec = { cable: "c1" }, held = true }: { readonly spec?: NonNullable<Lamp["spec"]>; readonly held?: boolean } = {},
) {
  const { clock } = server;
  const key = { namespace: "default", name: `lamp-${++count}` };
  const made = aLamp(key.name, spec);
  const metadata = held ? { ...made.metadata, finalizers: [finalizer] } : made.metadata;
  await client.create(Lamp, { ...made, metadata });
  return {
    key,
    pass: (change: Partial<ReturnType<typeof toolsFor<Ports>>> = {}) =>
      runPass(reconciler, key, toolsFor(client, ports, { clock, ...change })),
    get: () => client.get(Lamp, key),
    find: () => client.find(Lamp, key),
  };
}
const ports = { grid: true, unplugged: () => true };

describe("a pass", () => {
  test("writes what the tables say and what the steps drafted, once", async () => {
    const { pass, get } = await scene(lamp, ports, { spec: { cable: "c1", watts: 5 } });
    expect(await pass()).toMatchObject({
      outcome: "judged",
      facts: { cable: "c1", power: true },
      verdicts: [{ table: "Lamp.Lit", type: "Lit", row: "lit" }],
      next: awaitChange,
      errors: [],
      wrote: ["status"],
    });
    const written = await get();
    expect(written.status).toEqual({
      conditions: [
        {
          type: "Lit",
          status: "True",
          reason: "Lit",
          message: "",
          observedGeneration: 1,
          lastTransitionTime: server.clock.now(),
        },
      ],
      observedGeneration: 1,
      watts: 5,
    });
    expect(await pass()).toMatchObject({ wrote: [], undeclared: [] });
    expect(await get()).toEqual(written);
  });

  test("knows nothing of an object that is gone", async () => {
    const tools = toolsFor(client, ports);
    const record = await runPass(lamp, { namespace: "default", name: "nobody" }, tools);
    expect(record).toMatchObject({ outcome: "gone", next: awaitChange, errors: [] });
  });

  test("lets a reconciler forget an object that is gone", async () => {
    const forgotten: unknown[] = [];
    const forgetful = defineReconciler<Lamp, LampFacts, LampPorts>({
      name: "forgetful",
      kind: Lamp,
      facts: (): LampFacts => ({ power: false }),
      steps: [],
      conditions: [],
      onGone: (key, given) => {
        forgotten.push(key.name, given.ports.grid);
        return requeueAfter(seconds(10), "once more");
      },
    });
    const record = await runPass(forgetful, { namespace: "default", name: "nobody" }, toolsFor(client, ports));
    expect(record).toMatchObject({ outcome: "gone", next: requeueAfter(seconds(10), "once more") });
    expect(forgotten).toEqual(["nobody", true]);
  });

  test("goes on with an object that a step has written itself", async () => {
    const rewire = defineStep<Lamp, LampFacts>({
      name: "rewire",
      text: "give the lamp another cable at once",
      learns: ["power"],
      async run({ object, client: own, renew, learn }) {
        const key = { namespace: "default", name: object.metadata.name ?? "" };
        const patch = { kind: "merge", patch: { spec: { cable: "c9" } } } as const;
        renew(await own.patch(Lamp, key, patch));
        learn({ power: true });
      },
    });
    const facts = (): LampFacts => ({ power: false });
    const rewired = defineReconciler({ name: "rewired", kind: Lamp, facts, steps: [rewire], conditions: [Lit] });
    const { pass, get } = await scene(rewired, undefined);
    expect(await pass()).toMatchObject({ outcome: "judged", errors: [], wrote: ["status"] });
    const { metadata, spec, status } = await get();
    expect([metadata.generation, spec?.cable, status?.conditions?.[0]?.observedGeneration]).toEqual([2, "c9", 2]);
  });

  test("observes the generation that its own change of the spec makes, and no other", async () => {
    const rewire = defineStep<Lamp, LampFacts, { readonly meanwhile: () => Promise<void> }>({
      name: "rewire",
      text: "give the lamp another cable at the end of the pass",
      learns: ["power"],
      async run({ spec, ports: { meanwhile }, learn }) {
        spec.cable = "c9";
        learn({ power: true });
        await meanwhile();
      },
    });
    const facts = (): LampFacts => ({ power: false });
    const rewired = defineReconciler<Lamp, LampFacts, { readonly meanwhile: () => Promise<void> }>({
      name: "rewired",
      kind: Lamp,
      facts,
      steps: [rewire],
      conditions: [Lit],
    });
    const observed = ({ metadata, status }: Lamp) => [
      metadata.generation,
      status?.observedGeneration,
      status?.conditions?.[0]?.observedGeneration,
    ];
    const alone = await scene(rewired, { meanwhile: () => Promise.resolve() });
    expect(await alone.pass()).toMatchObject({ errors: [], wrote: ["object", "status"] });
    expect(observed(await alone.get())).toEqual([2, 2, 2]);
    expect(await alone.pass()).toMatchObject({ errors: [], wrote: [] });

    const patch = { kind: "merge", patch: { spec: { watts: 60 } } } as const;
    const crowded = await scene(rewired, {
      meanwhile: async () => void (await client.patch(Lamp, crowded.key, patch)),
    });
    expect(await crowded.pass()).toMatchObject({ errors: [] });
    expect(observed(await crowded.get())).toEqual([3, 1, 1]);
  });

  test("writes along with the finalizer what is known before", async () => {
    const wired = { ...lamp, withFinalizer: (_: Lamp, { spec }: ObjectDrafts<Lamp>) => void (spec.cable = "c7") };
    const { pass, get } = await scene(wired, ports, { held: false });
    expect(await pass()).toMatchObject({ outcome: "finalizer-added", wrote: ["object"] });
    const { metadata, spec } = await get();
    expect([metadata.finalizers, spec?.cable, metadata.generation]).toEqual([[finalizer], "c7", 2]);
  });

  test("puts the finalizer on before it does anything else, and comes back", async () => {
    const { pass, get } = await scene(lamp, ports, { held: false });
    expect(await pass()).toMatchObject({ outcome: "finalizer-added", next: { kind: "requeue" }, wrote: ["object"] });
    const { metadata, status } = await get();
    expect([metadata.finalizers, status]).toEqual([[finalizer], undefined]);
  });

  test("does not touch what is not ours yet, but lets go of what was", async () => {
    let isOurs = false;
    const { key, pass, get, find } = await scene({ ...lamp, isOurs: () => isOurs }, ports, { held: false });
    expect(await pass()).toMatchObject({ outcome: "not-ours", next: awaitChange, wrote: [] });
    expect((await get()).metadata.finalizers).toBeUndefined();
    isOurs = true;
    expect(await pass()).toMatchObject({ outcome: "finalizer-added" });
    isOurs = false;
    await client.delete(Lamp, key);
    expect(await pass()).toMatchObject({ outcome: "judged" });
    expect(await find()).toBeUndefined();
  });

  test("lets a deleted object go once the way out is over", async () => {
    let unplugged = false;
    const { key, pass, find } = await scene(lamp, { grid: true, unplugged: () => unplugged });
    await client.delete(Lamp, key);
    expect(await pass()).toMatchObject({ outcome: "judged", wrote: ["status"] });
    expect((await find())?.metadata.finalizers).toEqual([finalizer]);
    unplugged = true;
    expect(await pass()).toMatchObject({ wrote: ["object"], errors: [] });
    expect(await find()).toBeUndefined();
  });

  test("makes one error of several, goes on after each, and keeps observedGeneration", async () => {
    const failing = (name: string) =>
      defineStep<Lamp, LampFacts>({ name, text: "fail", run: () => Promise.reject(new Error(`${name} broke`)) });
    const broken = defineReconciler({
      name: "broken",
      kind: Lamp,
      facts: (): LampFacts => ({ power: true }),
      steps: [failing("a"), failing("b")],
      conditions: [Lit],
    });
    const { pass, get } = await scene(broken, {});
    const { next, errors, wrote } = await pass();
    expect(next).toMatchObject({ kind: "retry", error: expect.objectContaining({ message: "[a broke, b broke]" }) });
    expect([errors.length, wrote]).toEqual([2, ["status"]]);
    expect((await get()).status).not.toHaveProperty("observedGeneration");
  });

  test("does not retry what is terminal, and an error beats a timer", async () => {
    class Hopeless extends CapstanError {
      readonly code = "HOPELESS";
      override readonly terminal = true;
    }
    const wishing = (...wishes: readonly (() => unknown)[]) =>
      defineReconciler({
        name: "wishing",
        kind: Lamp,
        facts: (): LampFacts => ({ power: true }),
        steps: wishes.map((wish, index) =>
          defineStep<Lamp, LampFacts>({ name: `${index}`, text: "wish", run: () => wish() as undefined }),
        ),
        conditions: [],
      });
    const later = () => requeueAfter(seconds(9), "later");
    const fails = () => {
      throw new Hopeless("never");
    };
    const { pass: hopeless } = await scene(wishing(later, fails), {});
    expect(await hopeless()).toMatchObject({ next: later(), errors: [{ message: "never" }] });
    const error = new Error("soon");
    const { pass: failed } = await scene(
      wishing(later, () => retry(error)),
      {},
    );
    expect((await failed()).next).toEqual(retry(error));
    const { pass: stopped } = await scene(
      wishing(() => stop, fails),
      {},
    );
    expect((await stopped()).errors).toEqual([]);
  });

  test("leaves a paused object alone and says so", async () => {
    let paused = true;
    const pausable = defineReconciler({
      name: "pausable",
      kind: Lamp,
      paused: () => ({ clusterPaused: paused, annotated: paused }),
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      conditions: [Lit],
    });
    const { pass, get } = await scene(pausable, {});
    expect(await pass()).toMatchObject({ outcome: "paused", wrote: ["status"] });
    const types = async () =>
      (await get()).status?.conditions?.map(({ type, status, message }) => [type, status, message]);
    const both = "Cluster spec.paused is set to true, Lamp has the cluster.x-k8s.io/paused annotation";
    expect(await types()).toEqual([["Paused", "True", both]]);
    paused = false;
    expect(await pass()).toMatchObject({ outcome: "judged", wrote: ["status"] });
    expect(await types()).toEqual([
      ["Lit", "True", ""],
      ["Paused", "False", ""],
    ]);
  });

  test("writes a change of Paused alone where that is asked for, and only that", async () => {
    const pausable = defineReconciler({
      name: "pausable",
      kind: Lamp,
      paused: () => ({ clusterPaused: false, annotated: false }),
      reportsPausedFirst: true,
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      conditions: [Lit],
    });
    const { pass, get } = await scene(pausable, {});
    const types = async () => (await get()).status?.conditions?.map(({ type }) => type);
    expect(await pass()).toMatchObject({ outcome: "paused", wrote: ["status"] });
    expect(await types()).toEqual(["Paused"]);
    expect(await pass()).toMatchObject({ outcome: "judged", wrote: ["status"] });
    expect(await types()).toEqual(["Lit", "Paused"]);
  });

  test("puts the finalizer on a paused object too", async () => {
    const pausable = defineReconciler({
      name: "pausable",
      kind: Lamp,
      paused: () => ({ clusterPaused: true, annotated: false }),
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      finalizer,
      conditions: [Lit],
    });
    const { pass, get } = await scene(pausable, {}, { held: false });
    expect(await pass()).toMatchObject({ outcome: "finalizer-added", wrote: ["object"] });
    expect(await pass()).toMatchObject({ outcome: "paused", wrote: ["status"] });
    expect((await get()).metadata.finalizers).toEqual([finalizer]);
  });

  test.each([
    [false, { room: "hall" }],
    [true, undefined],
  ])("writes more with the finalizer, unless the object is paused: %s", async (clusterPaused, expected) => {
    const labelled = defineReconciler({
      name: "labelled",
      kind: Lamp,
      paused: () => ({ clusterPaused, annotated: false }),
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      finalizer,
      withFinalizer: (_, { metadata }) => void (metadata.labels = { room: "hall" }),
      conditions: [Lit],
    });
    const { pass, get } = await scene(labelled, {}, { held: false });
    expect(await pass()).toMatchObject({ outcome: "finalizer-added", wrote: ["object"] });
    const { metadata } = await get();
    expect([metadata.finalizers, metadata.labels]).toEqual([[finalizer], expected]);
    expect(await pass()).toMatchObject({ wrote: ["status"] });
  });

  test("writes nothing where a step abandons it, and is tried again", async () => {
    const error = new Error("nobody knows the grid");
    const abandoning = defineReconciler({
      name: "abandoning",
      kind: Lamp,
      facts: (): LampFacts => ({ power: true }),
      steps: [defineStep<Lamp, LampFacts>({ name: "ask", text: "ask for the grid", run: () => abandon(error) })],
      conditions: [Lit],
    });
    const { pass, get } = await scene(abandoning, {});
    expect(await pass()).toMatchObject({
      outcome: "failed",
      next: retry(error),
      errors: [error],
      wrote: [],
      verdicts: [],
    });
    expect((await get()).status).toBeUndefined();
  });

  test("goes on the way out after an independent step that failed, and lets nothing go", async () => {
    const done: string[] = [];
    const failing = (name: string, independent: boolean) =>
      defineStep<Lamp, LampFacts>({
        name,
        text: "fail",
        independent,
        run() {
          done.push(name);
          return retry(new Error(`${name} broke`));
        },
      });
    const leaving = defineReconciler({
      name: "leaving",
      kind: Lamp,
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      finalizer,
      onDelete: [failing("first", true), failing("second", false), failing("third", false)],
      conditions: [Lit],
    });
    const { pass, key, find } = await scene(leaving, {});
    await client.delete(Lamp, key);
    expect(await pass()).toMatchObject({ outcome: "judged", next: { kind: "retry" } });
    expect(done).toEqual(["first", "second"]);
    expect((await find())?.metadata.finalizers).toEqual([finalizer]);
  });

  test("leaves an object alone that goes and that it no longer holds", async () => {
    const other = "test.capstan.dev/other";
    const { pass, key, get } = await scene(lamp, ports);
    const withOther = { kind: "merge", patch: { metadata: { finalizers: [finalizer, other] } } } as const;
    await client.patch(Lamp, key, withOther);
    await client.delete(Lamp, key);
    expect(await pass()).toMatchObject({ outcome: "judged", wrote: ["status", "object"] });
    const left = await get();
    expect(left.metadata.finalizers).toEqual([other]);
    expect(await pass()).toMatchObject({ outcome: "leaving", wrote: [] });
    expect(await get()).toEqual(left);
    await client.patch(Lamp, key, { kind: "merge", patch: { metadata: { finalizers: null } } });
  });

  test("leaves an object alone that goes, where nothing was declared for that", async () => {
    const careless = defineReconciler({
      name: "careless",
      kind: Lamp,
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      conditions: [Lit],
    });
    const { pass, get, key } = await scene(careless, {});
    await client.delete(Lamp, key);
    expect(await pass()).toMatchObject({ outcome: "leaving", wrote: [] });
    expect((await get()).status).toBeUndefined();
  });

  test("has not observed a generation for which a table asks to try again", async () => {
    const failing = defineReconciler({
      name: "failing",
      kind: Lamp,
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      conditions: [
        defineCondition({
          of: "Lamp",
          type: "Lit",
          summary: "Never.",
          reasons: ["Broken"],
          rows: [],
          otherwise: otherwise({
            id: "broken",
            when: "always",
            ensure: nothing("it is broken"),
            report: Unknown("Broken"),
            next: retry(new ContextError("broken")),
          }),
        }),
      ],
    });
    const { pass, get } = await scene(failing, {});
    expect(await pass()).toMatchObject({ outcome: "judged", next: { kind: "retry" }, wrote: ["status"] });
    expect((await get()).status?.observedGeneration).toBeUndefined();
  });

  test("lets a table see what those before it decided", async () => {
    const Ready = defineCondition({
      of: "Lamp",
      type: "Ready",
      summary: "The lamp is fine.",
      reasons: ["Seen"],
      rows: [],
      otherwise: otherwise({
        id: "seen",
        when: "always",
        sees: ({ lit }: { readonly lit: string }) => ({ lit }),
        ensure: nothing("sum up"),
        report: (seen) => True("Seen", `Lit is ${seen.lit}`),
      }),
    });
    const summed = defineReconciler({
      name: "summed",
      kind: Lamp,
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      conditions: [Lit, judged(Ready, ({ conditions }) => ({ lit: conditions[0]?.status ?? "missing" }))],
    });
    const { pass, get } = await scene(summed, {});
    await pass();
    expect((await get()).status?.conditions?.map(({ message }) => message)).toEqual(["Lit is True", ""]);
  });

  test("merges its conditions with what another writer left meanwhile", async () => {
    const { key, pass, get } = await scene(lamp, ports);
    const stale = await get();
    const foreign = {
      type: "Dusty",
      status: "False",
      reason: "Clean",
      message: "",
      lastTransitionTime: server.clock.now(),
    };
    const patch = { kind: "merge", patch: { status: { conditions: [foreign] } } } as const;
    await client.patchStatus(Lamp, key, patch);
    const reader = { ...apiReader(client), find: () => Promise.resolve(stale) as never };
    expect(await pass({ reader })).toMatchObject({ wrote: ["status"], errors: [] });
    expect((await get()).status?.conditions?.map(({ type }) => type)).toEqual(["Dusty", "Lit"]);
  });

  test("writes conditions only where they are free, if told to", async () => {
    const shy = defineReconciler({
      name: "shy",
      kind: Lamp,
      facts: (): LampFacts => ({ power: true }),
      steps: [],
      conditions: [Lit],
      conditionWriting: () => "apply-where-free",
    });
    const { pass, get } = await scene(shy, {});
    expect(await pass()).toMatchObject({ wrote: ["status"], errors: [] });
    expect(await pass()).toMatchObject({ wrote: [], errors: [] });
    const { pass: owner } = await scene(lamp, ports);
    await owner();
    expect((await get()).status?.conditions).toHaveLength(1);

    const other = await scene(lamp, { ...ports, grid: false });
    await other.pass();
    const apart = toolsFor(createClient(server.transport, { fieldOwner: "shy" }), {});
    expect(await runPass(shy, other.key, apart)).toMatchObject({ wrote: [], errors: [], leftToOthers: true });
    expect((await other.get()).status?.conditions?.[0]?.status).toBe("False");
  });

  test("ends with its signal and writes nothing then", async () => {
    const stopper = new AbortController();
    const slow = defineReconciler({
      name: "slow",
      kind: Lamp,
      facts: (): LampFacts => ({ power: true }),
      steps: [
        defineStep<Lamp, LampFacts>({
          name: "slow",
          text: "take too long",
          run: () => stopper.abort(new Error("late")),
        }),
      ],
      conditions: [Lit],
    });
    const { pass, get } = await scene(slow, {});
    await expect(pass({ signal: stopper.signal })).rejects.toThrow("late");
    expect((await get()).status).toBeUndefined();
  });
});

describe("a declaration", () => {
  test("takes its ports from its steps, and its tables may know less than it does", () => {
    const Known = defineCondition({
      of: "Lamp",
      type: "Known",
      summary: "Whether anything is known.",
      reasons: ["Known"],
      rows: [],
      otherwise: otherwise({
        id: "known",
        when: "always",
        sees: ({ power }: { readonly power: boolean }) => ({ power }),
        ensure: nothing("it is known"),
        report: Unknown("Known"),
      }),
    });
    const wide = defineReconciler({
      name: "wide",
      kind: Lamp,
      facts: ({ metadata }): LampFacts & { readonly name: string } => ({ power: true, name: metadata.name ?? "" }),
      steps: [plug],
      conditions: [Known, Lit],
    });
    expectTypeOf<Parameters<typeof wide.facts>[1]["ports"]>().toEqualTypeOf<{ readonly grid: boolean }>();
    expect(wide.observesGeneration).toBe(true);
  });

  test("gathers facts without acting, and names those that only acting finds out", async () => {
    const source = { ports, clock: server.clock, reader: apiReader(client), signal: new AbortController().signal };
    const dark = aLamp("dark", { cable: "c2" });
    expect(await factsOf(lamp, dark, source)).toEqual({
      facts: { cable: "c2", power: false },
      missing: ["power"],
      problems: [],
    });
    const known = { power: true, cable: "stale" };
    expect(await factsOf(lamp, dark, { ...source, known })).toEqual({
      facts: { cable: "c2", power: true },
      missing: [],
      problems: [],
    });
  });
});
