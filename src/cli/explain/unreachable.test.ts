import { describe, expect, test } from "vitest";
import { type Json, printYamlDocuments } from "#machinery";
import { readDump } from "./dump.ts";
import { dumpSituation } from "./dump-situation.ts";
import { explainTo } from "./explain.ts";
import { nothingKnown } from "./known-facts.ts";
import { defaultGracePeriods } from "./situation.ts";
import { noPaint } from "../paint.ts";

const apiVersion = "cluster.x-k8s.io/v1beta2";
const metadata = { namespace: "default", labels: { "cluster.x-k8s.io/cluster-name": "c" } };

function condition(type: string, reason: string, status = "True"): Json {
  return { type, status, reason, message: "", lastTransitionTime: "2025-01-15T11:00:00Z" };
}

/** What is said of a Machine that was well when its cluster was last reached, at noon. */
async function linesAt(now: string, about = "machine/m Available"): Promise<readonly string[]> {
  const objects = [
    {
      apiVersion,
      kind: "Cluster",
      metadata: { ...metadata, name: "c" },
      spec: {},
      status: {
        initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
        conditions: [
          condition("ControlPlaneInitialized", "Initialized"),
          condition("RemoteConnectionProbe", "ProbeSucceeded"),
        ],
      },
    },
    {
      apiVersion,
      kind: "Machine",
      metadata: { ...metadata, name: "m" },
      spec: {
        clusterName: "c",
        bootstrap: { dataSecretName: "data" },
        infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: "m" },
      },
      status: {
        initialization: { infrastructureProvisioned: true },
        nodeRef: { name: "m" },
        conditions: [condition("NodeReady", "Ready"), condition("NodeHealthy", "NodeHealthy")],
      },
    },
    {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
      kind: "DevMachine",
      metadata: { ...metadata, name: "m" },
      status: { initialization: { provisioned: true }, conditions: [condition("Ready", "Ready")] },
    },
    { facts: { now, connections: { "default/c": { ...lastReached, connected: false } } } },
  ];
  const dump = readDump([{ path: "dump.yaml", text: printYamlDocuments(objects) }]);
  const situation = dumpSituation(dump, {
    signal: new AbortController().signal,
    spelling: "documented",
    gracePeriods: defaultGracePeriods,
    facts: nothingKnown,
  });
  let text = "";
  const [kind = "", name = "", type = ""] = about.split(/[/ ]/);
  const printing = { output: "text", paint: noPaint, write: (part: string) => void (text += part) } as const;
  await explainTo({ kind, name, namespace: "default", condition: type }, situation, printing);
  return text.trimEnd().split("\n");
}

const lastReached = { lastProbeSuccess: "2025-01-15T12:00:00Z", consecutiveFailures: 1 };

describe("a cluster that stops to answer", () => {
  test("is told before the manager has noticed, with the times between which that will be", async () => {
    const lines = await linesAt("2025-01-15T12:00:20Z", "cluster/c RemoteConnectionProbe");
    expect(lines.slice(0, 3)).toEqual([
      "Cluster default/c does not answer this command",
      "The manager has not noticed yet: RemoteConnectionProbe fails 50s after the last good probe, between 2025-01-15T12:00:50Z and 2025-01-15T12:01:10Z",
      "Machines say what was last known of their Nodes: NodeReady, NodeHealthy and Ready become Unknown, and Available False, between 2025-01-15T12:05:00Z and 2025-01-15T12:05:20Z unless the cluster answers",
    ]);
  });

  test("leaves Machines as last known until the grace period is over, and tells what they become then", async () => {
    const lines = await linesAt("2025-01-15T12:02:00Z");
    expect(lines[0]).toBe("Cluster default/c does not answer (last reached at 2025-01-15T12:00:00Z), because");
    expect(lines.at(-1)).toMatch(
      /^in short: Available of Machine default\/m is True as last known: .*; NodeReady, NodeHealthy and Ready become Unknown, and Available False, at 2025-01-15T12:05:00Z unless the cluster answers$/,
    );
  });

  test("is still told when Machines are Unknown", async () => {
    const lines = await linesAt("2025-01-15T12:10:00Z");
    expect(lines[0]).toBe("Cluster default/c does not answer (last reached at 2025-01-15T12:00:00Z), because");
    expect(lines[2]).toBe(
      "Machines have been Unknown since 2025-01-15T12:05:00Z: what was last known of their Nodes is too old to stand",
    );
  });
});
