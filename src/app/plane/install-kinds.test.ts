import { kinds, Machine } from "#api";
import { createClient } from "#client";
import { openEmbeddedServer } from "#testkit";
import { expect, test } from "vitest";
import { installKinds } from "./install-kinds.ts";

const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" } as const;

test("kinds are put in, stay as they are, and are brought up to date where somebody else changed them", async () => {
  await using server = await openEmbeddedServer();
  const client = createClient(server.transport, { fieldOwner: "capstan-install" });
  const changes = async () =>
    Object.fromEntries((await installKinds(client)).map(({ name, change }) => [name, change]));

  const first = await changes();
  expect(Object.keys(first)).toHaveLength(kinds.length);
  expect(new Set(Object.values(first))).toEqual(new Set(["created"]));
  expect((await client.list(Machine)).items).toEqual([]);

  expect(new Set(Object.values(await changes()))).toEqual(new Set(["unchanged"]));

  const machines = { name: "machines.cluster.x-k8s.io" };
  const others = createClient(server.transport, { fieldOwner: "somebody" });
  const patch = { spec: { names: { shortNames: ["mach"] } } };
  await others.patch(definitions, machines, { kind: "merge", patch });
  const third = await changes();
  expect(Object.entries(third).filter(([, change]) => change !== "unchanged")).toEqual([[machines.name, "changed"]]);
});

test("whoever has installed kinds reads them by their names at once", async () => {
  await using server = await openEmbeddedServer();
  const client = createClient(server.transport, { fieldOwner: "capstan-install" });
  await installKinds(client);
  const { group, version, kind } = Machine;
  expect((await client.list({ group, version, kind })).items).toEqual([]);
});
