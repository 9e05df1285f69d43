import { Cluster, DevCluster, DevMachine, ExtensionConfig, Machine, MachineDeployment } from "#api";
import { devJudges } from "#app";
import { seconds } from "#base";
import {
  defaultGracePeriods,
  dumpSituation,
  explainObject,
  fetchPasses,
  liveSituation,
  nothingKnown,
  type Question,
  readDump,
  recordSituation,
} from "#cli";
import type { Client } from "#client";
import { passJson, type PassRecord } from "#control";
import type { KubeObject } from "#machinery";
import { breakAnnotations } from "#providers";
import { expect, test } from "vitest";
import { createClusters } from "../../../tools/plane/dev-clusters.ts";
import { aClass, classWorld } from "../clusterclass/class-world.ts";
import { aConfig, base64, extensionWorld } from "../extensions/extension-world.ts";
import { devWorld } from "../plane/dev-world.ts";

const settings = {
  signal: new AbortController().signal,
  spelling: "documented",
  gracePeriods: defaultGracePeriods,
  judges: devJudges,
  facts: nothingKnown,
} as const;

/** Explains a running plane, and then what was looked at of it from a file alone. */
async function bothAnswers(question: Question, client: Client, records: readonly PassRecord[]) {
  const passes = fetchPasses(
    (query) => {
      const asked = new URLSearchParams(query);
      const found = records.findLast(
        ({ reconciler, key }) => reconciler === asked.get("kind")?.toLowerCase() && key.name === asked.get("name"),
      );
      return Promise.resolve({ passes: found === undefined ? [] : [JSON.parse(JSON.stringify(passJson(found)))] });
    },
    (error) => {
      throw error;
    },
  );
  await using situation = liveSituation({ ...settings, client, passes });
  const looked = recordSituation(situation);
  const live = await explainObject(question, looked);
  const dump = readDump([{ path: "dump.yaml", text: looked.dump() }]);
  const offline = await explainObject(question, dumpSituation(dump, settings));
  return { live, offline };
}

async function expectTheSame(
  question: Question,
  row: string,
  { client, records }: { readonly client: Client; readonly records: readonly PassRecord[] },
): Promise<void> {
  const { live, offline } = await bothAnswers(question, client, records);
  expect(live.missing).toEqual([]);
  expect(live.tree.explanation?.row).toBe(row);
  expect(JSON.parse(JSON.stringify(offline.tree))).toEqual(JSON.parse(JSON.stringify(live.tree)));
}

test("a broken Node, a rollout and a missing provider are explained alike live and from a dump", async (t) => {
  await using world = await devWorld(t);
  const { client, namespace, passes: records } = world;
  await createClusters(() => Promise.resolve(client), ["c0"], { namespace });
  await world.until(Machine, "c0-w1", { type: "NodeReady", status: "True" });

  await world.annotate(DevMachine, "c0-w1", { [breakAnnotations.node]: "down" });
  await world.until(Machine, "c0-w1", { type: "Ready", status: "False" });
  const about = { namespace };
  const node = { ...about, kind: "machine", name: "c0-w1" };
  await expectTheSame({ ...node, condition: "NodeReady" }, "not-ready", { client, records });
  await expectTheSame({ ...node, condition: "Available" }, "not-ready", { client, records });

  await client.create(MachineDeployment, aDeployment(namespace));
  await client.applyStatus(MachineDeployment, rollingOut(namespace), { force: true });
  await world.until(Cluster, "c0", { type: "RollingOut", status: "True" });
  await expectTheSame({ ...about, kind: "cluster", name: "c0", condition: "RollingOut" }, "rolling-out", {
    client,
    records,
  });

  await client.create(Machine, aMachineOf("AcmeMachine", namespace));
  await world.until(Machine, "odd", { type: "InfrastructureReady", status: "Unknown" });
  const odd = { ...about, kind: "machine", name: "odd", condition: "InfrastructureReady" };
  const { live } = await bothAnswers(odd, client, records);
  await expectTheSame(odd, live.tree.explanation?.row ?? "", { client, records });
});

test("what the development provider reports is explained by its tables, alike live and from a dump", async (t) => {
  await using world = await devWorld(t);
  const { client, namespace, passes: records } = world;
  await createClusters(() => Promise.resolve(client), ["c0"], { namespace });
  await world.until(Machine, "c0-w1", { type: "NodeReady", status: "True" });
  const about = { namespace };
  const plane = { client, records };
  await expectTheSame({ ...about, kind: "devmachine", name: "c0-w1" }, "ready", plane);
  await expectTheSame(
    { ...about, kind: "devmachine", name: "c0-w1", condition: "NodeProvisioned" },
    "provisioned",
    plane,
  );
  await expectTheSame({ ...about, kind: "devcluster", name: "c0" }, "ready", plane);

  await world.annotate(DevCluster, "c0", { [breakAnnotations.apiServer]: "stopped" });
  await world.until(DevCluster, "c0", { type: "Ready", status: "False" });
  await expectTheSame({ ...about, kind: "devcluster", name: "c0" }, "stopped", plane);
  await world.until(Cluster, "c0", { type: "InfrastructureReady", status: "False" });
  const { live } = await bothAnswers(
    { ...about, kind: "cluster", name: "c0", condition: "InfrastructureReady" },
    client,
    records,
  );
  expect(live.tree.sources.map(({ kind, type, explanation }) => [kind, type, explanation?.row])).toEqual([
    ["DevCluster", "Ready", "stopped"],
  ]);

  const machine = await bothAnswers({ ...about, kind: "machine", name: "c0-w1" }, client, records);
  expect(machine.live.tree.good).toBe(true);
  expect(machine.live.unreachable).toMatchObject({
    cluster: `${namespace}/c0`,
    causes: [`Ready of DevCluster ${namespace}/c0 is False: The API server is stopped on purpose`],
  });
  expect(machine.offline.unreachable).toEqual(machine.live.unreachable);
});

test("a class whose extension fails is explained alike live and from a dump", async (t) => {
  await using scene = await classWorld(t);
  const { world } = scene;
  scene.answer(new Error("no"));
  await world.apply(aClass("small"));
  await world.settle();
  const records = world.passes("ClusterClass", "small");
  const question = { kind: "clusterclass", name: "small", namespace: world.namespace, condition: "VariablesReady" };
  const { row = "" } = world.condition("ClusterClass", "small", "VariablesReady") ?? {};
  expect(["extension-failed", "extension-refused"]).toContain(row);
  await expectTheSame(question, row, { client: world.client, records });
});

test("an extension that cannot be reached is explained alike live and from a dump", async (t) => {
  await using here = await extensionWorld(t);
  const { world } = here;
  await world.apply(aConfig("ext", { url: "https://127.0.0.1:1", caBundle: base64("CA") }));
  await world.advance(seconds(10));
  const records = world.passes(ExtensionConfig, "ext");
  const question = { kind: "extensionconfig", name: "ext", namespace: "", condition: "Discovered" };
  await expectTheSame(question, "discovery-failed", { client: world.client, records });
});

const labels = { "cluster.x-k8s.io/cluster-name": "c0" };

const spec = {
  clusterName: "c0",
  bootstrap: { dataSecretName: "bootstrap" },
  infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachineTemplate", name: "w" },
};

function aDeployment(namespace: string): MachineDeployment {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "MachineDeployment",
    metadata: { name: "workers", namespace, labels },
    spec: {
      clusterName: "c0",
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}

function rollingOut(namespace: string): KubeObject {
  const condition = {
    type: "RollingOut",
    status: "True",
    reason: "RollingOut",
    message: "Rolling out 1 not up-to-date replicas",
    lastTransitionTime: "2025-01-15T12:00:00Z",
  };
  const { apiVersion, kind, metadata } = aDeployment(namespace);
  const status = { conditions: [condition] };
  return { apiVersion, kind, metadata, status } satisfies KubeObject & { readonly status: object };
}

function aMachineOf(kind: string, namespace: string): Machine {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { name: "odd", namespace, labels },
    spec: { ...spec, infrastructureRef: { ...spec.infrastructureRef, kind } },
  };
}
