import { expect, test, type TestContext } from "vitest";
import { milliseconds, type Next, requeueAfter, retry, seconds } from "#base";
import type { ObjectKey } from "#machinery";
import { scenario } from "#testkit";
import { defineStep } from "../pass/step.ts";
import { defineReconciler, type ReconcilerDeclaration } from "../reconciler.ts";
import { aLamp, Lamp, type LampFacts, Lit } from "../test-lamp.ts";
import { related } from "../watches.ts";
import type { ControllerOptions } from "./controller.ts";

const Note = { group: "", version: "v1", kind: "ConfigMap" };
const aNote = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "note" } };

for (const time of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
  test(`another pass after ${time} milliseconds is an error, and comes with backoff`, async (t) => {
    await using world = await lampWorld(t, {}, { run: () => requeueAfter(milliseconds(time), "odd") });
    await world.apply(aLamp("a"));
    await world.settle();
    const [pass] = world.passes(Lamp, "a");
    expect(pass?.next).toMatchObject({ kind: "retry", error: { code: "INVALID_NEXT" } });
    expect(world.condition(Lamp, "a", "Lit")).toMatchObject({ status: "True" });
    await world.advance(seconds(1));
    expect(world.passes(Lamp, "a").length).toBeLessThan(15);
  });
}

test("an error that cannot be printed costs its object no turn", async (t) => {
  const unprintable = Object.defineProperty(new Error("no"), "message", {
    get: () => {
      throw new TypeError("no message");
    },
  });
  const facts = (): never => {
    throw unprintable;
  };
  await using world = await lampWorld(t, { facts });
  await world.apply(aLamp("a"), aLamp("b"));
  await world.advance(seconds(1));
  expect(world.passes(Lamp, "a").length).toBeGreaterThan(1);
  expect(world.passes(Lamp, "b").length).toBeGreaterThan(1);
});

test("an object of which nobody can tell the group is reconciled all the same", async (t) => {
  const groupOf = (): never => {
    throw new TypeError("no group");
  };
  await using world = await lampWorld(t, {}, {}, { groupOf });
  await world.apply(aLamp("a"));
  await world.settle();
  expect(world.condition(Lamp, "a", "Lit")).toMatchObject({ status: "True" });
});

test("a mapping that fails is asked again later, and a world with it settles", async (t) => {
  let asked = 0;
  const keysOf = async (): Promise<readonly ObjectKey[]> => {
    asked++;
    if (asked < 4) throw new Error("not yet");
    return await Promise.resolve([{ namespace: world.namespace, name: "a" }]);
  };
  await using world = await lampWorld(t, { watches: [related(Note, keysOf, { predicate: isNote })] });
  await world.apply(aLamp("a"));
  await world.settle();
  await world.apply(aNote);
  await world.settle();
  const before = world.passes(Lamp, "a").length;
  await world.advance(seconds(2));
  expect(world.passes(Lamp, "a")).toHaveLength(before + 1);
});

test("a mapping that answers nonsense is passed over", async (t) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as somebody without types would write it
  const keysOf = async () => (await Promise.resolve(undefined)) as unknown as readonly ObjectKey[];
  await using world = await lampWorld(t, { watches: [related(Note, keysOf, { predicate: isNote })] });
  await world.apply(aNote, aLamp("a"));
  await world.settle();
  expect(world.condition(Lamp, "a", "Lit")).toMatchObject({ status: "True" });
});

test("what has to be forgotten about a lamp that is gone is tried again where it fails", async (t) => {
  const wishes: Next[] = [retry(new Error("not yet"))];
  await using world = await lampWorld(t, { onGone: () => wishes.pop() });
  await world.apply(aLamp("a"));
  await world.settle();
  await world.delete(Lamp, "a");
  await world.advance(seconds(1));
  expect(world.passes(Lamp, "a").filter(({ outcome }) => outcome === "gone")).toHaveLength(2);
});

function isNote({ object }: { readonly object: { readonly metadata: { readonly name?: string } } }): boolean {
  return object.metadata.name === "note";
}

async function lampWorld(
  t: TestContext,
  change: Partial<ReconcilerDeclaration<Lamp, LampFacts, object>>,
  { run = () => undefined }: { readonly run?: () => Next | undefined } = {},
  options: ControllerOptions<Lamp> = {},
) {
  const act = defineStep<Lamp, LampFacts, object>({
    name: "act",
    text: "act oddly",
    run: () => Promise.resolve(run()),
  });
  const lamp = defineReconciler<Lamp, LampFacts, object>({
    name: "lamp",
    kind: Lamp,
    facts: () => ({ power: true }),
    steps: [act],
    conditions: [Lit],
    ...change,
  });
  return await scenario(t, { kinds: [Lamp], controllers: (manager) => manager.add(lamp, {}, options) });
}
