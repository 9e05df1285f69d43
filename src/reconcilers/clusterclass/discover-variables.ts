import type { ClusterClass } from "#api";
import { defineStep } from "#control";
import type { ClassFacts } from "./facts.ts";
import { type DiscoveryPorts, gatherVariables } from "./gather-variables.ts";

/** Finds out all variables of a class. Where that fails the status keeps those that Clusters use. */
export const discoverVariables = defineStep<ClusterClass, ClassFacts, DiscoveryPorts>({
  name: "discover-variables",
  text: "ask every DiscoverVariables extension; write the sorted union of all definitions to status.variables",
  learns: ["problems", "conflicts"],

  async run({ object, status, ports, signal, learn }) {
    const gathered = await gatherVariables(object, ports, { signal });
    if (gathered.kind === "unknown") {
      learn({ problems: gathered.problems });
      return;
    }
    status.variables = gathered.variables;
    learn({ conflicts: gathered.conflicts });
  },
});
