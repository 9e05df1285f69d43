import { labels, type Machine } from "#api";
import { noTime, requeueAfter, retry, seconds } from "#base";
import {
  bootstrapConfig,
  bringAlong,
  isDefined,
  observeProvider,
  ownerReferenceTo,
  ProviderFieldError,
  ProviderReadError,
  removedOwners,
} from "#contract";
import { defineStep, type Looking } from "#control";
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
    const { object: machine, spec, status, facts } = pass;
    const { dataSecretCreated, config } = facts.bootstrap;
    if (dataSecretCreated && status.initialization?.bootstrapDataSecretCreated !== true) {
      status.initialization = { ...status.initialization, bootstrapDataSecretCreated: true };
    }
    const ref = machine.spec.bootstrap.configRef;
    if (ref === undefined || !isDefined(ref)) return undefined;
    const brought = await bringAlong(pass, ref, {
      owner: ownerReferenceTo(machine, { controller: true }),
      without: removedOwners,
      labels: { [labels.clusterName]: machine.spec.clusterName },
      gathering: pass.ports.gathering ?? noTime,
    });
    if (brought.kind === "failed") return retry(new ProviderReadError(brought.error));
    if (brought.kind === "absent") {
      return facts.machine.deleting ? undefined : requeueAfter(missingRetry, `waiting for ${ref.kind} ${ref.name}`);
    }
    // It is ours and watched whatever it says, so that the Machine is woken when it says something else.
    if (config.kind === "failed") return retry(new ProviderReadError(config.error));
    const { object, contractVersion } = brought;
    if (object.metadata.deletionTimestamp !== undefined || hasSecret(machine)) return undefined;
    if (bootstrapConfig.dataSecretCreated.in(contractVersion).get(object) !== true) return undefined;
    const name = bootstrapConfig.dataSecretName.get(object) ?? "";
    if (name === "") {
      return retry(new ProviderFieldError(`got empty status.dataSecretName field from ${ref.kind} ${ref.name}`));
    }
    spec.bootstrap = { ...spec.bootstrap, dataSecretName: name };
    return undefined;
  },
});

/** The same on the way out, where nothing is taken over any more. */
export const seeBootstrap = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "see-bootstrap",
  text: "look whether the bootstrap config is still there",
  observe: observeBootstrap,
});

/** What can be seen of the bootstrap config without touching it. */
async function observeBootstrap({
  object: machine,
  reader,
  signal,
  facts,
}: Looking<Machine, MachineFacts, MachinePorts>): Promise<Pick<MachineFacts, "bootstrap">> {
  const { lookup, said } = await observeProvider(reader, machine.spec.bootstrap.configRef, {
    namespace: machine.metadata.namespace ?? "",
    signal,
    mirrors: { type: "Ready", goodReason: "Ready" },
    says: (object, version) => ({
      created: bootstrapConfig.dataSecretCreated.in(version).get(object) === true,
      name: bootstrapConfig.dataSecretName.get(object) ?? "",
    }),
  });
  // It happens once: later failures do not reset it. Who names a secret and no config has nobody to report it.
  const isNew = lookup.kind === "found" && (hasSecret(machine) || (said?.created === true && said.name !== ""));
  return { bootstrap: { config: lookup, dataSecretCreated: facts.bootstrap.dataSecretCreated || isNew } };
}

function hasSecret({ spec }: Machine): boolean {
  return (spec.bootstrap.dataSecretName ?? "") !== "";
}
