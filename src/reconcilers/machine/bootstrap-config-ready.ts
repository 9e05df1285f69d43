import { defineCondition, False, finds, holds, nothing, otherwise, row, True, Unknown } from "#conditions";
import { type ProviderLookup, type ProviderView, reportedRows, silentKind } from "#contract";
import type { MachineFacts } from "./machine-facts.ts";

const what = "the bootstrap config";

/** Mirrors Ready of the bootstrap config. */
export const BootstrapConfigReady = defineCondition({
  of: "Machine",
  type: "BootstrapConfigReady",
  summary: "Mirrors the Ready condition of the bootstrap config, or says why there is none.",
  reasons: [
    "DataSecretProvided",
    "Ready",
    "NotReady",
    "InvalidConditionReported",
    "InternalError",
    "ObjectDoesNotExist",
    "ObjectDeleted",
  ],
  rows: [
    row({
      id: "data-secret-provided",
      when: holds("the Machine names no bootstrap config", lookupIs("unreferenced")),
      ensure: nothing("the data secret is named instead"),
      report: True("DataSecretProvided"),
    }),
    ...reportedRows({ what, view: config }),
    row({
      id: "created",
      when: finds(`${what} reports no Ready, and its data secret is created`, silent({ created: true })),
      ensure: nothing("status.initialization stands for the condition"),
      report: True("Ready"),
    }),
    row({
      id: "not-created",
      when: finds(`${what} reports no Ready, and its data secret is not created`, silent({ created: false })),
      ensure: nothing("waiting for the bootstrap provider"),
      report: (object) => False("NotReady", `${object.kind} status.initialization.dataSecretCreated is false`),
    }),
    row({
      id: "unreadable",
      when: finds(`${what} could not be read`, unread),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "deleted-with-owner",
      when: finds(`${what} is absent after its work was done, the Machine is deleting`, deletedWithMachine),
      ensure: nothing("it went with its Machine"),
      report: (object) => False("ObjectDeleted", `${object.kind} has been deleted`),
    }),
  ],
  otherwise: otherwise({
    id: "does-not-exist",
    when: `${what} is absent`,
    sees: ({ bootstrap }: MachineFacts) => ({ kind: kindOf(bootstrap.config) }),
    ensure: nothing("waiting for somebody to create it"),
    report: (object) => False("ObjectDoesNotExist", `${object.kind} does not exist`),
  }),
});

function config({ bootstrap, machine }: MachineFacts): ProviderView {
  return { lookup: bootstrap.config, once: bootstrap.dataSecretCreated, deleting: machine.deleting };
}

function lookupIs(kind: ProviderLookup["kind"]) {
  return ({ bootstrap }: MachineFacts): boolean => bootstrap.config.kind === kind;
}

function silent({ created }: { readonly created: boolean }) {
  return (facts: MachineFacts) =>
    facts.bootstrap.dataSecretCreated === created ? silentKind(config(facts)) : undefined;
}

function unread({ bootstrap }: MachineFacts): { readonly error: string } | undefined {
  return bootstrap.config.kind === "failed" ? { error: bootstrap.config.error } : undefined;
}

function deletedWithMachine({ bootstrap, machine }: MachineFacts): { readonly kind: string } | undefined {
  if (bootstrap.config.kind !== "absent" || !machine.deleting || !bootstrap.dataSecretCreated) return undefined;
  return { kind: bootstrap.config.objectKind };
}

function kindOf(lookup: ProviderLookup): string {
  return lookup.kind === "unreferenced" ? "" : lookup.objectKind;
}
