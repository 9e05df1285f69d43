import { labels, type Machine } from "#api";
import { awaitChange, requeueAfter, retry } from "#base";
import {
  bringAlong,
  infraMachine,
  ownerReferenceTo,
  providerLookup,
  readProvider,
  removedOwners,
  ProviderFieldError,
  ProviderObjectGoneError,
  ProviderReadError,
} from "#contract";
import { defineStep, type Looking } from "#control";
import { missingRetry } from "./bootstrap.ts";
import type { MachineFacts } from "./machine-facts.ts";
import type { MachinePorts } from "./ports.ts";

/** Brings the infrastructure machine along and takes over what it says. */
export const infrastructure = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "infrastructure",
  text: "own and watch the infrastructure machine; take over its provider id, addresses and failure domain",
  observe: observeInfrastructure,

  async run(pass) {
    const { object: machine, spec, status, facts, learn } = pass;
    const ref = machine.spec.infrastructureRef;
    const brought = await bringAlong(pass, ref, {
      owner: ownerReferenceTo(machine, { controller: true }),
      without: removedOwners,
      labels: { [labels.clusterName]: machine.spec.clusterName },
    });
    if (brought.kind === "failed") return retry(new ProviderReadError(brought.error));
    if (brought.kind === "absent") {
      if (facts.machine.deleting) return awaitChange;
      return facts.infrastructure.provisioned
        ? retry(new ProviderObjectGoneError(`${ref.kind} has been deleted after being ready`))
        : requeueAfter(missingRetry, `waiting for ${ref.kind} ${ref.name}`);
    }
    const { object, contractVersion } = brought;
    if (object.metadata.deletionTimestamp !== undefined) return awaitChange;
    if (infraMachine.provisioned.in(contractVersion).get(object) !== true && !facts.infrastructure.provisioned) {
      return awaitChange;
    }
    const providerID = infraMachine.providerID.in(contractVersion).get(object) ?? "";
    if (providerID === "") {
      return retry(new ProviderFieldError(`got empty spec.providerID field from ${ref.kind} ${ref.name}`));
    }
    spec.providerID = providerID;
    const addresses = infraMachine.addresses.in(contractVersion).get(object) ?? [];
    if (addresses.length > 0) status.addresses = addresses;
    const failureDomain = infraMachine.failureDomain.in(contractVersion).get(object) ?? "";
    if (failureDomain !== "") status.failureDomain = failureDomain;
    learn({ machine: { ...facts.machine, providerID } });
    if (!facts.infrastructure.provisioned) {
      status.initialization = { ...status.initialization, infrastructureProvisioned: true };
      learn({ infrastructure: { ...facts.infrastructure, provisioned: true } });
    }
    return awaitChange;
  },
});

/** What can be seen of the infrastructure machine without touching it. */
export async function observeInfrastructure({
  object: machine,
  reader,
  signal,
  facts,
}: Looking<Machine, MachineFacts, MachinePorts>): Promise<Pick<MachineFacts, "infrastructure">> {
  const ref = machine.spec.infrastructureRef;
  const read = await readProvider(reader, ref, { namespace: machine.metadata.namespace ?? "", signal });
  return {
    infrastructure: {
      ...facts.infrastructure,
      object: providerLookup(ref, read, { type: "Ready", goodReason: "Ready" }),
    },
  };
}
