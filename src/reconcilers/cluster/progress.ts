import type { Cluster } from "#api";
import { defineStep } from "#control";
import type { ClusterFacts } from "./facts.ts";
import { phaseOf } from "./phase.ts";
import type { ClusterPorts } from "./ports.ts";

/** Writes down how far the Cluster has come. */
export const progress = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "progress",
  text: "write down the phase of the Cluster and how many machines it has",
  independent: true,

  run({ object: cluster, spec, status, facts, events }) {
    const { controlPlane, workers } = facts.replicas;
    if (controlPlane !== undefined) status.controlPlane = controlPlane;
    if (workers !== undefined) status.workers = workers;
    const { deleting, infrastructureProvisioned } = facts.cluster;
    const { phase: before } = status;
    const phase = phaseOf({ deleting, infrastructureProvisioned, spec, ...(before === undefined ? {} : { before }) });
    if (phase === before) return;
    status.phase = phase;
    events.record("Normal", phase, `Cluster ${cluster.metadata.name ?? ""} is ${phase}`);
  },
});
