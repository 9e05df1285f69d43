import { expect, test } from "vitest";
import { annotations, ClusterClass, DevClusterTemplate } from "#api";
import { minutes, seconds } from "#base";
import type { KubeObject } from "#machinery";
import { aClass, classWorld, template } from "./class-world.ts";

const silent = { patches: [{ name: "none", definitions: [] }] };

/** A class whose infrastructure is another template than that of its control plane. */
function naming(name: string, reference: Partial<ClusterClass["spec"]["infrastructure"]["templateRef"]>): ClusterClass {
  const made = aClass(name, silent);
  const { templateRef } = made.spec.infrastructure;
  return { ...made, spec: { ...made.spec, infrastructure: { templateRef: { ...templateRef, ...reference } } } };
}

test("a class owns the templates that it names, beside others", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  await world.apply(aClass("one", silent), aClass("two", silent));
  await world.settle();
  const { metadata } = await world.get(DevClusterTemplate, "small");
  const uids = await Promise.all(
    ["one", "two"].map(async (name) => (await world.get(ClusterClass, name)).metadata.uid),
  );
  expect(metadata.ownerReferences).toEqual(
    expect.arrayContaining(
      ["one", "two"].map((name, index) => ({
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "ClusterClass",
        name,
        uid: uids[index],
      })),
    ),
  );
  expect(metadata.ownerReferences).toHaveLength(2);
  expect(world.condition(ClusterClass, "one", "RefVersionsUpToDate")).toMatchObject({ row: "up-to-date" });
});

test("a class waits for a template that is not there yet, and is woken when it comes", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  await world.apply(naming("early", { name: "late" }));
  await world.settle();
  expect(world.condition(ClusterClass, "early", "RefVersionsUpToDate")).toEqual({
    status: "Unknown",
    reason: "InternalError",
    message: "Please check controller logs for errors",
    row: "unreadable",
  });
  expect(world.condition(ClusterClass, "early", "VariablesReady")).toMatchObject({ row: "variables-ready" });
  expect((await world.get(ClusterClass, "early")).status?.observedGeneration).toBeUndefined();
  const facts = world.passes(ClusterClass, "early").at(-1)?.facts;
  expect(facts).toMatchObject({
    references: { kind: "failed", errors: [expect.stringContaining("Could not find external object")] },
  });

  await world.apply(template("late"));
  await world.settle();
  expect(world.condition(ClusterClass, "early", "RefVersionsUpToDate")).toMatchObject({ row: "up-to-date" });
  expect((await world.get(ClusterClass, "early")).status?.observedGeneration).toBe(1);
});

test("a template in an older version than the contract asks for is named", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  const apiVersion = "infrastructure.example.com/v1alpha1";
  await world.install(oldTemplates);
  // Clients look for new kinds every few seconds.
  await world.advance(seconds(5));
  await world.apply({ apiVersion, kind: "OldTemplate", metadata: { name: "old" } } satisfies KubeObject);
  await world.apply(naming("dated", { apiVersion, kind: "OldTemplate", name: "old" }));
  await world.settle();
  expect(world.condition(ClusterClass, "dated", "RefVersionsUpToDate")).toEqual({
    status: "False",
    reason: "RefVersionsNotUpToDate",
    message:
      "The following templateRefs are not using the latest apiVersion:\n* OldTemplate old: current: v1alpha1, latest: v1beta1",
    row: "outdated",
  });
  const { status } = await world.get(ClusterClass, "dated");
  expect(status?.deprecated?.v1beta1?.conditions?.[0]).toMatchObject({
    type: "RefVersionsUpToDate",
    status: "False",
    severity: "Warning",
    reason: "OutdatedRefVersions",
  });
});

test("a paused class is left alone until it is not paused any more", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  const paused = aClass("small", silent);
  await world.apply({ ...paused, metadata: { name: "small", annotations: { [annotations.paused]: "" } } });
  await world.settle();
  const { status } = await world.get(ClusterClass, "small");
  expect(status?.conditions).toMatchObject([
    { type: "Paused", status: "True", message: "ClusterClass has the cluster.x-k8s.io/paused annotation" },
  ]);
  expect((await world.get(DevClusterTemplate, "small")).metadata.ownerReferences).toBeUndefined();
  await world.apply(paused);
  await world.settle();
  expect(world.condition(ClusterClass, "small", "Paused")).toMatchObject({ status: "False", row: "not-paused" });
  expect(world.condition(ClusterClass, "small", "VariablesReady")).toMatchObject({ row: "variables-ready" });
});

test("a class in order is written twice, once for being not paused, and then no more", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  await world.apply(aClass("small", silent));
  await world.settle();
  const writing = () => world.passes(ClusterClass, "small").filter(({ wrote }) => wrote.length > 0).length;
  expect(writing()).toBe(2);
  expect(world.writes(DevClusterTemplate, "small")).toHaveLength(1);
  await world.advance(minutes(60));
  expect(writing()).toBe(2);
  expect(world.writes(DevClusterTemplate, "small")).toHaveLength(1);
});

const version = {
  served: true,
  schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
};

const oldTemplates: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "oldtemplates.infrastructure.example.com", labels: { "cluster.x-k8s.io/v1beta2": "v1beta1" } },
  spec: {
    group: "infrastructure.example.com",
    scope: "Namespaced",
    names: { kind: "OldTemplate", plural: "oldtemplates" },
    versions: [
      { name: "v1alpha1", storage: true, ...version },
      { name: "v1beta1", storage: false, ...version },
    ],
  },
};
