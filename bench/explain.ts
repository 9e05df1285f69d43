import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "#base";
import { defaultGracePeriods, describeCluster, dumpSituation, explainObject, nothingKnown, readDump } from "#cli";
import { type JsonObject, printYaml, printYamlDocuments } from "#machinery";
import { measured } from "../tools/bench/cpu.ts";
import { root } from "../tools/root.ts";

const now = "2025-01-15T12:00:00Z";
const core = "cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";
const tries = 5;

type Print = (line: object) => void;

/** Explaining one condition out of a dump of 5,000 objects, reading the dump included. */
export async function bench(print: Print): Promise<void> {
  const objects = dumpOf(1666);
  const list = { apiVersion: "v1", kind: "List", items: objects, metadata: { resourceVersion: "" } };
  const dumps = {
    "a List in JSON": JSON.stringify(list),
    "a List in YAML": printYaml(list),
    "YAML documents": printYamlDocuments(objects),
  };
  await measureProcess(dumps, objects.length, print);
  const question = { kind: "machine", name: "m7", namespace: "default", condition: "NodeReady" };
  for (const [form, text] of Object.entries(dumps))
    await measure(`explain a Machine from ${form}`, 1000, () => explainObject(question, situationOf(text)));
  const json = dumps["a List in JSON"];
  await measure("explain a Cluster from a List in JSON", 1000, () =>
    explainObject({ kind: "cluster", name: "big", namespace: "default" }, situationOf(json)),
  );
  await measure("describe a Cluster from a List in JSON", 5000, () =>
    describeCluster({ name: "big", namespace: "default", grouping: true }, situationOf(json)),
  );

  async function measure(name: string, limit: number, work: () => Promise<unknown>): Promise<void> {
    const { wall, cpu } = await measured(work);
    report(print, `${name} of ${objects.length} objects`, { wall, cpu, limit });
  }
}

/** What somebody waits for who types the command: the start of the program included, the best of some tries. */
async function measureProcess(dumps: Readonly<Record<string, string>>, count: number, print: Print): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "capstan-bench-"));
  try {
    for (const [form, text] of Object.entries(dumps)) {
      const file = join(folder, form.endsWith("JSON") ? "dump.json" : "dump.yaml");
      await writeFile(file, text);
      const efforts = [];
      for (let round = 0; round < tries; round++) efforts.push(await typed("machine/m7", "NodeReady", file));
      const [best = { wall: 0, cpu: 0 }] = efforts.toSorted((a, b) => a.wall - b.wall);
      report(print, `capstan explain of ${form} of ${count} objects, with the start`, { ...best, limit: 1000 });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sayCpu =
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); console.error((user + system) / 1e6); });';

/** Runs the command as a process of its own. */
async function typed(target: string, condition: string, file: string): Promise<{ wall: number; cpu: number }> {
  const importing = `data:text/javascript,${encodeURIComponent(sayCpu)}`;
  const command = [join(root, "bin/capstan"), "explain", target, condition, "-f", file, "--connected"];
  const begun = systemClock.elapsed();
  const { stderr } = await promisify(execFile)(process.execPath, ["--import", importing, ...command]);
  return { wall: (systemClock.elapsed() - begun) / 1000, cpu: Number(stderr) };
}

function report(print: Print, name: string, { wall, cpu, limit }: { wall: number; cpu: number; limit: number }): void {
  print({ bench: "explain", name, value: Math.round(wall * 1000), cpu: Math.round(cpu * 1000), unit: "ms", limit });
}

function situationOf(text: string) {
  return dumpSituation(readDump([{ path: "dump", text }]), {
    signal: new AbortController().signal,
    spelling: "documented",
    gracePeriods: defaultGracePeriods,
    facts: { ...nothingKnown, connection: { lastProbeSuccess: systemClock.now(), consecutiveFailures: 0 } },
  });
}

/** A Cluster of so many Machines, each with its infrastructure and its Node, as full as kubectl prints them. */
function dumpOf(machines: number): readonly JsonObject[] {
  const names = Array.from({ length: machines }, (_, index) => `m${index}`);
  return [
    object(core, "Cluster", "big", {
      spec: { infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevCluster", name: "big" } },
      status: {
        initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
        conditions: conditions("Available", "ControlPlaneInitialized", "InfrastructureReady", "RemoteConnectionProbe"),
      },
    }),
    object(infrastructure, "DevCluster", "big", { status: provisioned }),
    ...names.flatMap((name) => [
      object(core, "Machine", name, {
        spec: {
          clusterName: "big",
          providerID: `dev://${name}`,
          version: "v1.34.0",
          bootstrap: { dataSecretName: "bootstrap" },
          infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name },
        },
        status: {
          addresses: [{ type: "Hostname", address: name }],
          conditions: conditions(...machineConditions),
          nodeInfo: { kubeletVersion: "v1.34.0", osImage: "capstan", architecture: "amd64" },
          nodeRef: { name },
          phase: "Running",
        },
      }),
      object(infrastructure, "DevMachine", name, { status: provisioned }),
      object("v1", "Node", name, {
        spec: { providerID: `dev://${name}` },
        status: { conditions: conditions("Ready", "MemoryPressure", "DiskPressure", "PIDPressure") },
      }),
    ]),
  ];
}

const machineConditions = [
  "Available",
  "Ready",
  "UpToDate",
  "BootstrapConfigReady",
  "InfrastructureReady",
  "NodeReady",
  "NodeHealthy",
  "Deleting",
  "Updating",
  "Paused",
];

const provisioned = {
  initialization: { provisioned: true },
  conditions: conditions("Ready", "VMProvisioned", "NodeProvisioned"),
};

function conditions(...types: readonly string[]): readonly JsonObject[] {
  const rest = { status: "True", message: "", lastTransitionTime: now, observedGeneration: 1 };
  return types.map((type) => ({ type, reason: type, ...rest }));
}

function object(apiVersion: string, kind: string, name: string, rest: JsonObject): JsonObject {
  const metadata = {
    name,
    ...(kind === "Node" ? {} : { namespace: "default" }),
    creationTimestamp: now,
    generation: 1,
    labels: { "cluster.x-k8s.io/cluster-name": "big" },
    resourceVersion: "12345",
    uid: `0b1cd2e3-${kind.toLowerCase()}-${name}`,
  };
  return { apiVersion, kind, metadata, ...rest };
}
