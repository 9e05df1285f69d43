import { systemClock } from "#base";
import { defaultGracePeriods, describeCluster, dumpSituation, explainObject, nothingKnown, readDump } from "#cli";
import { type JsonObject, printYamlDocuments } from "#machinery";

const now = "2025-01-15T12:00:00Z";
const core = "cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";

/** Explaining one condition out of a dump of 5,000 objects, reading the dump included. */
export async function bench(print: (line: object) => void): Promise<void> {
  const objects = dumpOf(1666);
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  const yaml = printYamlDocuments(objects);
  for (const [form, text] of [
    ["JSON", list],
    ["YAML", yaml],
  ] as const) {
    const begun = systemClock.elapsed();
    const situation = situationOf(text);
    await explainObject({ kind: "machine", name: "m7", namespace: "default", condition: "NodeReady" }, situation);
    report(`explain a Machine from ${objects.length} objects in ${form}`, begun, 1000);
  }
  const begun = systemClock.elapsed();
  await explainObject({ kind: "cluster", name: "big", namespace: "default" }, situationOf(list));
  report(`explain a Cluster from ${objects.length} objects in JSON`, begun, 1000);
  const described = systemClock.elapsed();
  await describeCluster({ name: "big", namespace: "default", grouping: true }, situationOf(list));
  report(`describe a Cluster of ${objects.length} objects in JSON`, described, 5000);

  function report(name: string, since: number, limit: number): void {
    print({ bench: "explain", name, value: Math.round(systemClock.elapsed() - since), unit: "ms", limit });
  }
}

function situationOf(text: string) {
  return dumpSituation(readDump([{ path: "dump", text }]), {
    signal: new AbortController().signal,
    spelling: "documented",
    gracePeriods: defaultGracePeriods,
    facts: { ...nothingKnown, connection: { lastProbeSuccess: systemClock.now(), consecutiveFailures: 0 } },
  });
}

/** A Cluster of so many Machines, each with its infrastructure and its Node. */
function dumpOf(machines: number): readonly JsonObject[] {
  const names = Array.from({ length: machines }, (_, index) => `m${index}`);
  return [
    object(core, "Cluster", "big", {
      spec: { infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevCluster", name: "big" } },
      status: {
        initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
        conditions: [condition("ControlPlaneInitialized")],
      },
    }),
    object(infrastructure, "DevCluster", "big", { status: provisioned }),
    ...names.flatMap((name) => [
      object(core, "Machine", name, {
        spec: {
          clusterName: "big",
          providerID: `dev://${name}`,
          bootstrap: { dataSecretName: "bootstrap" },
          infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name },
        },
        status: { nodeRef: { name }, conditions: ["Available", "Ready", "NodeReady", "NodeHealthy"].map(condition) },
      }),
      object(infrastructure, "DevMachine", name, { status: provisioned }),
      object("v1", "Node", name, {
        spec: { providerID: `dev://${name}` },
        status: { conditions: [condition("Ready")] },
      }),
    ]),
  ];
}

const provisioned = { initialization: { provisioned: true }, conditions: [condition("Ready")] };

function condition(type: string): JsonObject {
  return { type, status: "True", reason: type, message: "", lastTransitionTime: now };
}

function object(apiVersion: string, kind: string, name: string, rest: JsonObject): JsonObject {
  const labels = { "cluster.x-k8s.io/cluster-name": "big" };
  return {
    apiVersion,
    kind,
    metadata: { name, ...(kind === "Node" ? {} : { namespace: "default" }), labels },
    ...rest,
  };
}
