import { expect, test } from "vitest";
import { ClusterClass } from "#api";
import { minutes } from "#base";
import { ExtensionCallError } from "#extensions";
import { type DiscoveryPorts } from "#reconcilers/clusterclass";
import { readVariable } from "#topology";
import { aClass, classWorld, variable } from "./class-world.ts";

const inline = { name: "zone", required: true, schema: { openAPIV3Schema: { type: "string" } } } as const;

test("a class knows its own variables and those of its extension, and Clusters can use it", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  scene.answer([variable("cpu", { type: "integer", default: 2 }), variable("arch")]);
  await world.apply(aClass("small", { variables: [inline] }));
  await world.settle();
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toEqual({
    status: "True",
    reason: "VariablesReady",
    message: "",
    row: "variables-ready",
  });
  const { status, metadata } = await world.get(ClusterClass, "small");
  expect(status?.variables?.map(({ name, definitions }) => [name, definitions[0]?.from])).toEqual([
    ["arch", "patch"],
    ["cpu", "patch"],
    ["zone", "inline"],
  ]);
  expect(status?.observedGeneration).toBe(metadata.generation);
  expect(status?.deprecated?.v1beta1?.conditions?.map(({ type, status: is }) => [type, is])).toEqual([
    ["RefVersionsUpToDate", "True"],
    ["VariablesReconciled", "True"],
  ]);
});

test("an extension that cannot be reached is named, and the variables that Clusters use stay", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  scene.answer([variable("cpu")]);
  await world.apply(aClass("small"));
  await world.settle();
  expect(await scene.variablesOf("small")).toEqual(["cpu"]);

  await scene.stopExtension();
  await world.advance(minutes(11));
  await world.apply(aClass("small", { variables: [inline] }));
  await world.settle();
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toMatchObject({
    status: "False",
    reason: "VariableDiscoveryFailed",
    message: expect.stringMatching(
      /^VariableDiscovery failed: failed to call DiscoverVariables for patch patch: failed to call extension handler "variables\.ext"/,
    ),
    row: "extension-failed",
  });
  expect(await scene.variablesOf("small")).toEqual(["cpu"]);
  const { status, metadata } = await world.get(ClusterClass, "small");
  expect(status?.observedGeneration).toBe((metadata.generation ?? 0) - 1);
});

test("a class whose extension fails comes back by itself once the extension does", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  scene.answer(new Error("the database is away"));
  await world.apply(aClass("small"));
  await world.settle();
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toMatchObject({ row: "extension-failed" });
  scene.answer([variable("cpu")]);
  await world.advance(minutes(1));
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toMatchObject({ row: "variables-ready" });
  expect(await scene.variablesOf("small")).toEqual(["cpu"]);
});

test("a client that hands on what an extension answered has its refusal told", async (t) => {
  await using scene = await classWorld(t, { ports: handingOnRefusals });
  const { world } = scene;
  scene.answer(new Error("not today"));
  await world.apply(aClass("small"));
  await world.settle();
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toMatchObject({
    message: 'VariableDiscovery failed: patch patch returned status "Failure" with message "not today"',
    row: "extension-refused",
  });
});

test("a variable that cannot be converted is named", async (t) => {
  await using scene = await classWorld(t, {
    ports: (ports) => ({
      ...ports,
      readVariable: (answered) => {
        const read = readVariable(answered);
        return read?.name === "odd" ? undefined : read;
      },
    }),
  });
  const { world } = scene;
  scene.answer([variable("cpu"), variable("odd")]);
  await world.apply(aClass("small"));
  await world.settle();
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toMatchObject({
    message: "VariableDiscovery failed: failed to convert variable odd to v1beta2",
    row: "not-convertible",
  });
});

test("what is wrong with discovered variables is told one by one", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  scene.answer([variable("cpu", { type: "integer", default: "two" }), variable("a.b")]);
  await world.apply(aClass("small"));
  await world.settle();
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toMatchObject({
    message:
      "VariableDiscovery failed: [patch.variables[cpu].schema.openAPIV3Schema.default: Invalid value: " +
      '"string":  in body must be of type integer: "string", ' +
      'patch.variables[a.b].name: Invalid value: "a.b": variable name cannot contain "."]',
    row: "invalid",
  });
  expect(await scene.variablesOf("small")).toEqual([]);
});

test("a variable that is defined in two ways is named, and stands in the status with both", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  scene.answer([variable("zone", { type: "integer" })]);
  await world.apply(aClass("small", { variables: [inline] }));
  await world.settle();
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toMatchObject({
    message: "VariableDiscovery failed: the following variables have conflicting schemas: zone",
    row: "conflicting",
  });
  const { status } = await world.get(ClusterClass, "small");
  expect(status?.variables).toMatchObject([{ name: "zone", definitionsConflict: true, definitions: [{}, {}] }]);
});

test("two classes that ask the same make one call while the answer is kept, and another one later", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  scene.answer([variable("cpu")]);
  await world.apply(aClass("one"), aClass("two"));
  await world.settle();
  expect(scene.calls()).toBe(1);
  await world.apply(aClass("one", { variables: [inline] }));
  await world.settle();
  expect(scene.calls()).toBe(1);
  await world.advance(minutes(11));
  await world.apply(aClass("one"));
  await world.settle();
  expect(scene.calls()).toBe(2);
  await world.apply(aClass("two", { variables: [inline] }));
  await world.settle();
  expect(scene.calls()).toBe(2);
});

test("a change of the ExtensionConfig wakes the classes that ask it, and no others", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  scene.answer([variable("cpu")]);
  await world.apply(aClass("asking"), aClass("silent", { patches: [{ name: "none", definitions: [] }] }));
  await world.settle();
  const passes = () => ["asking", "silent"].map((name) => world.passes(ClusterClass, name).length);
  const [asking = 0, silent] = passes();
  scene.answer([variable("cpu"), variable("gpu")]);
  await scene.touchExtension();
  expect(passes()[0]).toBeGreaterThan(asking);
  expect(passes()[1]).toBe(silent);
});

test("without the gate no extension is asked", async (t) => {
  await using scene = await classWorld(t, { ports: (ports) => ({ ...ports, runtimeSDK: false }) });
  const { world } = scene;
  scene.answer([variable("cpu")]);
  await world.apply(aClass("small", { variables: [inline] }));
  await world.settle();
  expect(scene.calls()).toBe(0);
  expect(await scene.variablesOf("small")).toEqual(["zone"]);
});

/** As a client would be that does not take a refusal for a failed call. */
function handingOnRefusals({ extensions, ...ports }: DiscoveryPorts): DiscoveryPorts {
  return {
    ...ports,
    extensions: {
      async call(hook, name, request, options) {
        try {
          return await extensions.call(hook, name, request, options);
        } catch (error) {
          if (error instanceof ExtensionCallError && error.response !== undefined) {
            return { ...hook.readResponse(null), ...error.response };
          }
          throw error;
        }
      },
    },
  };
}
