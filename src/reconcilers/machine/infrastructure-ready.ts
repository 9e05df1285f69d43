import { defineCondition, False, finds, nothing, otherwise, row, True } from "#conditions";
import { missingRows, type ProviderView, reportedRows, silentKind } from "#contract";
import type { MachineFacts } from "./machine-facts.ts";

const what = "the infrastructure machine";

/** Mirrors Ready of the infrastructure machine. */
export const InfrastructureReady = defineCondition({
  of: "Machine",
  type: "InfrastructureReady",
  summary: "Mirrors the Ready condition of the infrastructure machine, or says why there is none.",
  reasons: ["Ready", "NotReady", "InvalidConditionReported", "InternalError", "ObjectDoesNotExist", "ObjectDeleted"],
  rows: [
    ...reportedRows({ what, view: infrastructure }),
    row({
      id: "provisioned",
      when: finds(`${what} reports no Ready, and it is provisioned`, provisioned),
      ensure: nothing("status.initialization stands for the condition"),
      report: True("Ready"),
    }),
    ...missingRows({ what, owner: "Machine", view: infrastructure }),
  ],
  otherwise: otherwise({
    id: "not-provisioned",
    when: `${what} reports no Ready, and it is not provisioned`,
    sees: (facts: MachineFacts) => silentKind(infrastructure(facts)) ?? { kind: facts.machine.infrastructureKind },
    ensure: nothing("waiting for the infrastructure provider"),
    report: (object) => False("NotReady", `${object.kind} status.initialization.provisioned is false`),
  }),
});

function infrastructure({ infrastructure: { object, provisioned: once }, machine }: MachineFacts): ProviderView {
  return { lookup: object, once, deleting: machine.deleting };
}

function provisioned(facts: MachineFacts): { readonly kind: string } | undefined {
  return facts.infrastructure.provisioned ? silentKind(infrastructure(facts)) : undefined;
}
