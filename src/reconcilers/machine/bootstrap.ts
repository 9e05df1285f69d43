import { labels, type Machine } from "#api";
import { awaitChange, requeueAfter, retry, seconds } from "#base";
import {
  bootstrapConfig,
  bringAlong,
  isDefined,
  ownerReferenceTo,
  providerLookup,
  readProvider,
  removedOwners,
  ProviderFieldError,
  ProviderReadError,
} from "#contract";
import { defineStep, type Looking, type Pass } from "#control";
import type { MachineFacts } from "./machine-facts.ts";
import type { MachinePorts } from "./ports.ts";

/** How often a missing object is looked for. */
export const missingRetry = seconds(30);

/** Brings the bootstrap config along until its data secret is there. */
export const bootstrap = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "bootstrap",
  text: "own and watch the bootstrap config; take over the name of its data secret",
  observe: observeBootstrap,

  async run(pass) {
    const { object: machine, spec, facts } = pass;
    const ref = machine.spec.bootstrap.configRef;
    if (ref === undefined || !isDefined(ref)) {
      markCreated(pass);
      return awaitChange;
    }
    const brought = await bringAlong(pass, ref, {
      owner: ownerReferenceTo(machine, { controller: true }),
      without: removedOwners,
      labels: { [labels.clusterName]: machine.spec.clusterName },
    });
    if (brought.kind === "failed") return retry(new ProviderReadError(brought.error));
    if (brought.kind === "absent") {
      return facts.machine.deleting ? awaitChange : requeueAfter(missingRetry, `waiting for ${ref.kind} ${ref.name}`);
    }
    const { object, contractVersion } = brought;
    if ((machine.spec.bootstrap.dataSecretName ?? "") !== "") {
      markCreated(pass);
      return awaitChange;
    }
    if (object.metadata.deletionTimestamp !== undefined) return awaitChange;
    if (bootstrapConfig.dataSecretCreated.in(contractVersion).get(object) !== true) return awaitChange;
    const name = bootstrapConfig.dataSecretName.get(object) ?? "";
    if (name === "")
      return retry(new ProviderFieldError(`got empty status.dataSecretName field from ${ref.kind} ${ref.name}`));
    spec.bootstrap = { ...spec.bootstrap, dataSecretName: name };
    markCreated(pass);
    return awaitChange;
  },
});

/** What can be seen of the bootstrap config without touching it. */
export async function observeBootstrap({
  object: machine,
  reader,
  signal,
  facts,
}: Looking<Machine, MachineFacts, MachinePorts>): Promise<Pick<MachineFacts, "bootstrap">> {
  const ref = machine.spec.bootstrap.configRef;
  const read = await readProvider(reader, ref, { namespace: machine.metadata.namespace ?? "", signal });
  return {
    bootstrap: { ...facts.bootstrap, config: providerLookup(ref, read, { type: "Ready", goodReason: "Ready" }) },
  };
}

/** It happens once: later failures do not reset it. */
function markCreated({ status, facts, learn }: Pass<Machine, MachineFacts, MachinePorts>): void {
  if (facts.bootstrap.dataSecretCreated) return;
  status.initialization = { ...status.initialization, bootstrapDataSecretCreated: true };
  learn({ bootstrap: { ...facts.bootstrap, dataSecretCreated: true } });
}
