import { afterAll, beforeAll, expect, test } from "vitest";
import { Cluster, ClusterClass, defaultFeatureGates, kinds, MachineDeployment } from "#api";
import type { AdmissionPlugin } from "#apiserver";
import { fieldAt, isNotFound, type KubeObject, type ObjectKey, type Transport } from "#machinery";
import { admissionFor, type Lookups, webhooks } from "#webhooks";
import { type EmbeddedServer, openEmbeddedServer } from "./embedded-server.ts";
import { validObjects } from "./valid-objects.ts";

let embedded: EmbeddedServer;
let transport: Transport;

beforeAll(async () => {
  const plugins: readonly AdmissionPlugin[] = admissionFor(webhooks, lookups());
  embedded = await openEmbeddedServer({ plugins });
  transport = embedded.transport;
  await Promise.all(kinds.map((kind) => embedded.install(kind)));
});
afterAll(() => embedded.close());

test("a MachineDeployment without a selector gets one before its schema is checked", async () => {
  const { selector: _, ...spec } = valid("MachineDeployment")["spec"] as { selector?: unknown };
  const made = await transport.create(MachineDeployment.resource, { ...valid("MachineDeployment"), spec });
  expect(fieldAt(made, "spec", "selector")).toEqual({
    matchLabels: { "cluster.x-k8s.io/cluster-name": "blue", "cluster.x-k8s.io/deployment-name": "blue" },
  });
  expect(made.metadata.labels).toEqual({ "cluster.x-k8s.io/cluster-name": "blue" });
});

test("what is wrong with an object is what the user is told", async () => {
  const stored = await transport.get(MachineDeployment.resource, { namespace: "default", name: "blue" });
  const moved = { ...stored, spec: { ...(stored["spec"] as object), clusterName: "red" } };
  await expect(transport.update(MachineDeployment.resource, moved)).rejects.toThrow(
    expect.objectContaining({
      message:
        'MachineDeployment.cluster.x-k8s.io "blue" is invalid: [spec.clusterName: Forbidden: field is immutable, ' +
        'spec.clusterName: Invalid value: "red": spec.clusterName and spec.template.spec.clusterName must be set to the same value]',
    }),
  );
});

test("an object of the wrong types is refused by its schema, not by the webhooks", async () => {
  const broken = {
    ...valid("MachineDeployment"),
    metadata: { namespace: "default", name: "broken" },
    spec: { template: 7 },
  };
  await expect(transport.create(MachineDeployment.resource, broken)).rejects.toThrow(
    /spec\.template: Invalid value: "integer": spec\.template in body must be of type object: "integer"/,
  );
});

test("a Cluster whose class is missing is taken with a warning", async () => {
  const warnings: string[] = [];
  await transport.create(Cluster.resource, valid("Cluster"), { onWarning: (text) => warnings.push(text) });
  expect(warnings).toEqual([expect.stringContaining("Cluster refers to ClusterClass classes/quick-start")]);
});

test("a ClusterClass that is used cannot be deleted", async () => {
  const spec = valid("Cluster")["spec"] as { topology: object };
  const topology = { classRef: { name: "blue" }, version: "v1.34.1" };
  await transport.create(ClusterClass.resource, valid("ClusterClass"));
  await transport.create(Cluster.resource, {
    ...valid("Cluster"),
    metadata: { namespace: "default", name: "user" },
    spec: { ...spec, topology },
  });
  await expect(transport.delete(ClusterClass.resource, { namespace: "default", name: "blue" })).rejects.toThrow(
    expect.objectContaining({
      message:
        'ClusterClass.cluster.x-k8s.io "blue" is forbidden: ClusterClass cannot be deleted because it is used by ' +
        "Cluster(s): default/user",
    }),
  );
});

/** Looks at the server itself. */
function lookups(): Lookups {
  return {
    gates: { ...defaultFeatureGates, ClusterTopology: true, RuntimeSDK: true, MachineTaintPropagation: true },
    clusterClass: async (key) => {
      const object = await transport.get(ClusterClass.resource, key).catch(unlessMissing);
      return object !== undefined && ClusterClass.is(object) ? object : undefined;
    },
    clustersUsing: async (key) => {
      const { items } = await transport.list(Cluster.resource);
      return items.flatMap((object) => (Cluster.is(object) && uses(object, key) ? [object] : []));
    },
    upgradeBlockers: () => Promise.resolve([]),
    variables: { validateDefinitions: () => [], fillIn: (_old, cluster) => ({ cluster, errors: [] }) },
  };
}

function uses({ metadata, spec: { topology } }: Cluster, key: ObjectKey): boolean {
  const { name, namespace = metadata.namespace } = topology?.classRef ?? {};
  return name === key.name && namespace === key.namespace;
}

function unlessMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}

function valid(kind: string): KubeObject {
  const object = validObjects.find((candidate) => candidate.kind === kind);
  if (object === undefined) throw new Error(`there is no valid ${kind}`);
  return object;
}
