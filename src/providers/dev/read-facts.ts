import { fact, readSummary } from "#conditions";
import type { DevClusterFacts } from "./dev-cluster.ts";
import type { DevMachineFacts, DevMachineSummary, Gate, Startup } from "./dev-machine-facts.ts";

const devClusterFacts = fact.object<DevClusterFacts>({
  server: fact.byKind<DevClusterFacts["server"]>({
    "not-looked": {},
    listening: { port: fact.count },
    stopped: {},
    failed: { error: fact.text },
  }),
});

const startup = fact.byKind<Startup>({
  "not-started": {},
  starting: { left: fact.duration },
  up: {},
  failed: { error: fact.text },
});

const devMachineFacts = fact.object<DevMachineFacts>({
  now: fact.time,
  gate: fact.byKind<Gate>({
    "not-looked": {},
    "no-machine": {},
    "cluster-infrastructure": {},
    "control-plane": {},
    "bootstrap-data": {},
    open: {},
  }),
  vm: startup,
  node: startup,
});

const devMachineSummary = fact.object<DevMachineSummary>({ summary: readSummary });

/** Reads what a file says of a DevCluster; an error names the field that is missing or wrong. */
export function readDevClusterFacts(value: unknown): DevClusterFacts {
  return devClusterFacts(value, "facts");
}

/** Reads what a file says of a DevMachine. */
export function readDevMachineFacts(value: unknown): DevMachineFacts {
  return devMachineFacts(value, "facts");
}

/** Reads what a file says of the conditions of a DevMachine together. */
export function readDevMachineSummary(value: unknown): DevMachineSummary {
  return devMachineSummary(value, "facts");
}
