import { fact } from "#conditions";
import type { ControlPlaneInitialized, NodeCondition, NodeFacts, NodeLookup } from "./facts.ts";

const nodeCondition = fact.object<NodeCondition>({
  type: fact.text,
  status: fact.oneOf("True", "False", "Unknown"),
  message: fact.text,
  since: fact.optional(fact.time),
});

const nodeFacts = fact.object<NodeFacts>({
  now: fact.time,
  gracePeriod: fact.duration,
  cluster: fact.object<NodeFacts["cluster"]>({
    infrastructureProvisioned: fact.flag,
    controlPlaneInitialized: fact.byKind<ControlPlaneInitialized>({
      pending: {},
      done: { since: fact.optional(fact.time) },
    }),
  }),
  connection: fact.object<NodeFacts["connection"]>({
    lastProbeSuccess: fact.optional(fact.time),
    consecutiveFailures: fact.count,
  }),
  machine: fact.object<NodeFacts["machine"]>({
    deleting: fact.flag,
    nodeName: fact.optional(fact.text),
    providerID: fact.optional(fact.text),
    infrastructureKind: fact.text,
    nodeConditionsReported: fact.flag,
  }),
  node: fact.byKind<NodeLookup>({
    found: { conditions: fact.list(nodeCondition) },
    absent: {},
    "not-connected": {},
    failed: { error: fact.text },
  }),
});

/** Reads what a file says of a Machine's Node; an error names the field that is missing or wrong. */
export function readNodeFacts(value: unknown): NodeFacts {
  return nodeFacts(value, "facts");
}
