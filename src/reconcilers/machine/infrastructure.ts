import { labels, type Machine } from "#api";
import { noTime, requeueAfter, retry } from "#base";
import {
  bringAlong,
  infraMachine,
  observeProvider,
  ownerReferenceTo,
  ProviderFieldError,
  ProviderObjectGoneError,
  ProviderReadError,
  removedOwners,
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
    const { object: machine, spec, status, facts } = pass;
    const ref = machine.spec.infrastructureRef;
    const { provisioned, object: lookup } = facts.infrastructure;
    if (provisioned && status.initialization?.infrastructureProvisioned !== true) {
      status.initialization = { ...status.initialization, infrastructureProvisioned: true };
    }
    const brought = await bringAlong(pass, ref, {
      owner: ownerReferenceTo(machine, { controller: true }),
      without: removedOwners,
      labels: { [labels.clusterName]: machine.spec.clusterName },
      gathering: pass.ports.gathering ?? noTime,
    });
    if (brought.kind === "failed") return retry(new ProviderReadError(brought.error));
    if (brought.kind === "absent") {
      if (facts.machine.deleting) return undefined;
      return provisioned
        ? retry(new ProviderObjectGoneError(`${ref.kind} has been deleted after being ready`))
        : requeueAfter(missingRetry, `waiting for ${ref.kind} ${ref.name}`);
    }
    // It is ours and watched whatever it says, so that the Machine is woken when it says something else.
    if (lookup.kind === "failed") return retry(new ProviderReadError(lookup.error));
    const { object, contractVersion } = brought;
    if (object.metadata.deletionTimestamp !== undefined) return undefined;
    const { providerID = "" } = facts.machine;
    const saysProvisioned = infraMachine.provisioned.in(contractVersion).get(object) === true;
    if (saysProvisioned && providerID === "") {
      return retry(new ProviderFieldError(`got empty spec.providerID field from ${ref.kind} ${ref.name}`));
    }
    if (!provisioned) return undefined;
    if (providerID !== "") spec.providerID = providerID;
    const addresses = infraMachine.addresses.in(contractVersion).get(object);
    if (addresses !== undefined) status.addresses = addresses;
    const failureDomain = infraMachine.failureDomain.in(contractVersion).get(object) ?? "";
    if (failureDomain !== "") status.failureDomain = failureDomain;
    return undefined;
  },
});

/** The same on the way out, where nothing is taken over any more. */
export const seeInfrastructure = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "see-infrastructure",
  text: "look whether the infrastructure machine is still there",
  observe: observeInfrastructure,
});

/** What can be seen of the infrastructure machine without touching it. */
async function observeInfrastructure({
  object: machine,
  reader,
  signal,
  facts,
}: Looking<Machine, MachineFacts, MachinePorts>): Promise<Pick<MachineFacts, "infrastructure" | "machine">> {
  const { lookup, said } = await observeProvider(reader, machine.spec.infrastructureRef, {
    namespace: machine.metadata.namespace ?? "",
    signal,
    mirrors: { type: "Ready", goodReason: "Ready" },
    says: (object, version) => ({
      provisioned: infraMachine.provisioned.in(version).get(object) === true,
      providerID: infraMachine.providerID.in(version).get(object) ?? "",
      // Read here too, so that what cannot be understood is reported.
      addresses: infraMachine.addresses.in(version).get(object),
      failureDomain: infraMachine.failureDomain.in(version).get(object),
    }),
  });
  // A machine counts as provisioned only with the id by which its Node is found.
  const isNew = said !== undefined && said.provisioned && said.providerID !== "";
  const providerID = isNew ? said.providerID : facts.machine.providerID;
  return {
    infrastructure: { object: lookup, provisioned: facts.infrastructure.provisioned || isNew },
    machine: { ...facts.machine, ...(providerID === undefined ? {} : { providerID }) },
  };
}
