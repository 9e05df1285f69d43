import type { Machine } from "#api";
import { describeError, retry, toError } from "#base";
import { isTrue } from "#conditions";
import { defineStep, type Looking, type Pass } from "#control";
import { isConflict, isNotFound } from "#machinery";
import { lookUpNode, type NodeFinding, nodeNameOf } from "#workload";
import { clusterKeyOf, clusterOf } from "./cluster-of-machine.ts";
import type { NodeLookup } from "./facts.ts";
import type { MachineFacts } from "./machine-facts.ts";
import { nodeFacts, nodeFound } from "./node-facts.ts";
import { nodeInfoOf } from "./node-info.ts";
import { syncNode } from "./node-sync.ts";
import type { MachinePorts } from "./ports.ts";

type LookingAtNode = Pick<
  Looking<Machine, MachineFacts, MachinePorts>,
  "object" | "reader" | "facts" | "ports" | "signal"
>;

/** Finds the Node of a Machine and keeps its labels, annotations and taints in step. */
export const node = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "node",
  text: "find the Node by its provider id; set nodeRef and nodeInfo; bring labels, annotations and taints to the Node",
  observe: observeNode,

  async run(pass) {
    const { finding } = await find(pass);
    takeOver(pass, finding);
    if (finding.kind === "lost") return retry(finding.error);
    if (finding.kind === "not-connected" || finding.kind === "failed") return retry(toError(finding.error));
    if (finding.kind !== "found") return undefined;
    try {
      await syncNode(pass, finding.node);
    } catch (error) {
      // A kubelet that was faster is no failure; the next pass sees what it wrote.
      if (isConflict(error)) return retry(toError(error));
      throw error;
    }
    return undefined;
  },
});

/** The same on the way out, where the Node gets nothing any more, and where nobody waits for a cluster that is away. */
export const seeNode = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "see-node",
  text: "look whether the Node is still there; set nodeRef and nodeInfo",
  observe: observeNode,
  independent: true,

  async run(pass) {
    const { finding } = await find(pass);
    takeOver(pass, finding);
  },
});

/** Writes down which Node it is and what it says of itself, and sees to it that its changes wake the Machine. */
function takeOver(
  { object: machine, status, ports, events, facts }: Pass<Machine, MachineFacts, MachinePorts>,
  finding: NodeFinding,
): void {
  if (finding.kind === "failed") {
    events.record("Warning", "Failed to retrieve Node by ProviderID", describeError(finding.error));
  }
  if (finding.kind === "not-connected" || finding.kind === "failed") return;
  // Only when there is something to see does it pay to be told of changes.
  if (facts.cluster.controlPlaneInitialized.kind === "done") ports.workload.watchNodes(clusterKeyOf(machine));
  if (finding.kind !== "found") return;
  const name = nodeNameOf(machine, finding);
  if (name !== undefined && machine.status?.nodeRef?.name !== name) {
    status.nodeRef = { name };
    events.record("Normal", "SuccessfulSetNodeRef", name);
  }
  const info = nodeInfoOf(finding.node);
  if (info !== undefined) status.nodeInfo = info;
}

/** What can be seen of the Node and of the cluster that it is in. */
async function observeNode(looking: LookingAtNode): Promise<Partial<MachineFacts>> {
  const { object: machine, reader, ports, facts, signal } = looking;
  try {
    const cluster = await clusterOf(machine, reader, { signal });
    const { finding } = await find(looking);
    const seen = finding.kind === "found" ? nodeNameOf(machine, finding) : undefined;
    const found = nodeFacts({
      now: facts.now,
      gracePeriod: ports.remoteConditionsGracePeriod,
      cluster,
      machine,
      connection: ports.workload.healthOf(clusterKeyOf(machine)),
      node: lookupFrom(finding),
    });
    const { providerID } = facts.machine;
    return {
      ...found,
      machine: {
        ...found.machine,
        ...(providerID === undefined ? {} : { providerID }),
        ...(seen === undefined ? {} : { nodeName: seen }),
      },
    };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { node: { kind: "failed", error: describeError(error) } };
  }
}

async function find({
  object,
  reader,
  ports,
  facts,
  signal,
}: LookingAtNode): Promise<{ readonly finding: NodeFinding }> {
  const { workload } = ports;
  const key = clusterKeyOf(object);
  const cluster = await clusterOf(object, reader, { signal });
  // The provider id may have been found out a step before, in this very pass.
  const { providerID } = facts.machine;
  const machine = providerID === undefined ? object : { ...object, spec: { ...object.spec, providerID } };
  const finding = await lookUpNode(machine, {
    controlPlaneInitialized: isTrue(cluster, "ControlPlaneInitialized"),
    // Asking for the client is enough to know whether Nodes could be watched.
    watchNodes: () => void workload.client(key),
    reader: () => workload.reader(key),
    signal,
  });
  return { finding };
}

function lookupFrom(finding: NodeFinding): NodeLookup {
  switch (finding.kind) {
    case "found":
      return nodeFound(finding.node);
    case "not-connected":
      return { kind: "not-connected" };
    case "failed":
      return { kind: "failed", error: describeError(finding.error) };
    case "not-sought":
    case "absent":
    case "lost":
      return { kind: "absent" };
  }
}
