import { describe, expect, test, type TestContext } from "vitest";
import { requeueAfter, seconds } from "#base";
import { condition, scenario } from "#testkit";
import { defineStep } from "../pass/step.ts";
import { defineReconciler } from "../reconciler.ts";
import { aLamp, Lamp, type LampFacts, Lit } from "../test-lamp.ts";

interface Power {
  readonly on: () => boolean;
}

const plug = defineStep<Lamp, LampFacts, Power>({
  name: "plug",
  text: "look whether there is power",
  learns: ["power"],
  run({ ports, object, status, learn }) {
    learn({ power: ports.on(), ...(object.spec?.cable === undefined ? {} : { cable: object.spec.cable }) });
    status.phase = ports.on() ? "On" : "Off";
    return ports.on() ? undefined : requeueAfter(seconds(30), "the power may come back");
  },
});

const lamp = defineReconciler<Lamp, LampFacts, Power>({
  name: "lamp",
  kind: Lamp,
  facts: (): LampFacts => ({ power: false, cable: "none" }),
  steps: [{ ...plug, learns: ["power", "cable"] }],
  conditions: [Lit],
});

async function worldWith(t: TestContext, power: Power, way: "in-process" | "tls" = "in-process") {
  return await scenario(t, { kinds: [Lamp], way, controllers: (manager) => manager.add(lamp, power) });
}

describe.each(["in-process", "tls"] as const)("a manager %s", (way) => {
  test("brings objects along, and comes back when it said it would", async (t) => {
    let on = false;
    await using world = await worldWith(t, { on: () => on }, way);
    await world.apply(aLamp("a", { cable: "c1" }));
    await world.settle();
    expect(world.condition("Lamp", "a", "Lit")).toEqual({
      status: "False",
      reason: "Dark",
      message: "Cable c1 is not plugged in",
      row: "dark",
    });
    on = true;
    await world.advance(seconds(29));
    expect(world.condition("Lamp", "a", "Lit")?.row).toBe("dark");
    await world.advance(seconds(1));
    expect(world.condition(Lamp, "a", "Lit")).toMatchObject({ status: "True", row: "lit" });
    expect(world.writes("Lamp", "a")).toEqual([
      condition("Lit", "False", "Dark"),
      { kind: "changed", fields: ["status.phase"] },
      condition("Lit", "True", "Lit"),
      { kind: "changed", fields: ["status.phase"] },
    ]);
    expect(world.manager.lastPass(Lamp, { namespace: "default", name: "a" })).toMatchObject({
      facts: { power: true, cable: "c1" },
      verdicts: [{ row: "lit" }],
    });
  });
});
