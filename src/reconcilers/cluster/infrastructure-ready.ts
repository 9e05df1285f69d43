import { defineCondition, False, finds, nothing, otherwise, row, True } from "#conditions";
import { missingRows, type ProviderView, reportedRows, silentKind } from "#contract";
import type { ClusterFacts } from "./facts.ts";
import { unnamedRows } from "./unnamed-rows.ts";

const what = "the infrastructure object";

/** Mirrors Ready of the infrastructure object. */
export const InfrastructureReady = defineCondition({
  of: "Cluster",
  type: "InfrastructureReady",
  summary: "Mirrors the Ready condition of the infrastructure object, or says why there is none.",
  reasons: ["Ready", "NotReady", "InvalidConditionReported", "InternalError", "ObjectDoesNotExist", "ObjectDeleted"],
  rows: [
    ...unnamedRows(what, (facts: ClusterFacts) => facts.infrastructure),
    ...reportedRows({ what, view: infrastructure }),
    row({
      id: "provisioned",
      when: finds(`${what} reports no Ready, and it is provisioned`, silent({ provisioned: true })),
      ensure: nothing("status.initialization stands for the condition"),
      report: True("Ready"),
    }),
    row({
      id: "not-provisioned",
      when: finds(`${what} reports no Ready, and it is not provisioned`, silent({ provisioned: false })),
      ensure: nothing("waiting for the infrastructure provider"),
      report: (object) => False("NotReady", `${object.kind} status.initialization.provisioned is false`),
    }),
    ...missingRows({ what, owner: "cluster", view: infrastructure }),
  ],
  otherwise: otherwise({
    id: "not-needed",
    when: "the Cluster names no infrastructure object",
    ensure: nothing("there is nothing to wait for"),
    report: True("Ready"),
  }),
});

function infrastructure({ infrastructure: lookup, cluster }: ClusterFacts): ProviderView {
  return { lookup, once: cluster.infrastructureProvisioned, deleting: cluster.deleting };
}

function silent({ provisioned }: { readonly provisioned: boolean }) {
  return (facts: ClusterFacts) =>
    facts.cluster.infrastructureProvisioned === provisioned ? silentKind(infrastructure(facts)) : undefined;
}
