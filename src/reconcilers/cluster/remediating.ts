import { defineCondition, False, finds, nothing, otherwise, row, True, Unknown } from "#conditions";
import type { ClusterFacts } from "./facts.ts";
import { descendantsUnmerged } from "./merged.ts";

const mostNames = 3;

/** Tells whether Machines of the Cluster are being replaced because they are not healthy. */
export const Remediating = defineCondition({
  of: "Cluster",
  type: "Remediating",
  polarity: "negative",
  summary: "Tells whether Machines of the Cluster are being remediated.",
  reasons: ["Remediating", "NotRemediating", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("descendants could not be read or merged", descendantsUnmerged("remediating")),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "remediating",
      when: finds("some Machine waits for its owner to remediate it", waiting),
      ensure: nothing("aggregate OwnerRemediated"),
      report: (machines) => True("Remediating", machines.message),
    }),
    row({
      id: "unhealthy",
      when: finds("some Machine is not healthy, and none is to be remediated", unhealthy),
      ensure: nothing("name the Machines"),
      report: (machines) =>
        False("NotRemediating", `${machines.names} ${machines.verb} not healthy (not to be remediated)`),
    }),
  ],
  otherwise: otherwise({
    id: "not-remediating",
    when: "no Machine failed its health check",
    ensure: nothing("all is well"),
    report: False("NotRemediating"),
  }),
});

function waiting({ descendants }: ClusterFacts): { readonly message: string } | undefined {
  if (descendants.kind !== "listed" || descendants.remediating.kind !== "merged") return undefined;
  return { message: descendants.remediating.message };
}

function unhealthy({ descendants }: ClusterFacts): { readonly names: string; readonly verb: string } | undefined {
  const names = descendants.kind === "listed" ? descendants.unhealthyMachines : [];
  if (names.length === 0) return undefined;
  const shown = names.slice(0, mostNames).join(", ");
  const more = names.length > mostNames ? `, ... (${names.length - mostNames} more)` : "";
  return names.length === 1
    ? { names: `Machine ${shown}`, verb: "is" }
    : { names: `Machines ${shown}${more}`, verb: "are" };
}
