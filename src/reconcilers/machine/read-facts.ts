import { fact, type FactFields, readSummary } from "#conditions";
import { readProviderLookup } from "#contract";
import type { ControlPlaneInitialized, NodeCondition, NodeFacts, NodeLookup } from "./facts.ts";
import type { AvailableFacts, DeletionFacts, MachineFacts, UpdateFacts } from "./machine-facts.ts";
import type { ReadyFacts } from "./ready.ts";

const nodeCondition = fact.object<NodeCondition>({
  type: fact.text,
  status: fact.oneOf("True", "False", "Unknown"),
  message: fact.text,
  since: fact.optional(fact.time),
});

const nodeFields: FactFields<NodeFacts> = {
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
};

const nodeFacts = fact.object<NodeFacts>(nodeFields);

const saying = { message: fact.text };
const waitingFor = { hooks: fact.list(fact.text) };

const machineFacts = fact.object<MachineFacts>({
  ...nodeFields,
  bootstrap: fact.object<MachineFacts["bootstrap"]>({ config: readProviderLookup, dataSecretCreated: fact.flag }),
  infrastructure: fact.object<MachineFacts["infrastructure"]>({ object: readProviderLookup, provisioned: fact.flag }),
  update: fact.byKind<UpdateFacts>({ none: {}, "in-progress": saying, failed: saying }),
  deletion: fact.byKind<DeletionFacts>({
    "not-deleting": {},
    "not-looked": {},
    started: {},
    "pre-drain-hooks": waitingFor,
    draining: saying,
    volumes: saying,
    "pre-terminate-hooks": waitingFor,
    infrastructure: saying,
    bootstrap: saying,
    node: saying,
    completed: {},
    failed: { error: fact.text },
  }),
});

const readyFacts = fact.object<ReadyFacts>({ summary: readSummary });

const availableFacts = fact.object<AvailableFacts>({
  now: fact.time,
  ready: fact.byKind<AvailableFacts["ready"]>({
    missing: {},
    reported: { isTrue: fact.flag, since: fact.optional(fact.time) },
  }),
  minReadySeconds: fact.count,
});

/** Reads what a file says of a Machine's Node; an error names the field that is missing or wrong. */
export function readNodeFacts(value: unknown): NodeFacts {
  return nodeFacts(value, "facts");
}

/** Reads what a file says of a Machine as a whole. */
export function readMachineFacts(value: unknown): MachineFacts {
  return machineFacts(value, "facts");
}

/** Reads what a file says of the conditions of a Machine together. */
export function readReadyFacts(value: unknown): ReadyFacts {
  return readyFacts(value, "facts");
}

/** Reads what a file says of a Machine's Ready. */
export function readAvailableFacts(value: unknown): AvailableFacts {
  return availableFacts(value, "facts");
}
