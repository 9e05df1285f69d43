import { annotations, labels, type Machine } from "#api";
import { InvalidTimestampError, parseTimestamp, retry, type Timestamp } from "#base";
import { readProvider, ProviderFieldError } from "#contract";
import { defineStep } from "#control";
import type { KubeObject } from "#machinery";
import type { MachineFacts } from "./machine-facts.ts";
import type { MachinePorts } from "./ports.ts";

/** Says when the certificates of a control plane machine expire, as far as somebody knows. */
export const certificates = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "certificates",
  text: "take over when the certificates of a control plane machine expire, from the Machine or its bootstrap config",

  async run({ object: machine, status, reader, signal }) {
    if (!Object.hasOwn(machine.metadata.labels ?? {}, labels.controlPlane)) {
      delete status.certificatesExpiryDate;
      return undefined;
    }
    const namespace = machine.metadata.namespace ?? "";
    const config = await readProvider(reader, machine.spec.bootstrap.configRef, { namespace, signal });
    try {
      const expiry = expiryOf(machine) ?? (config?.kind === "found" ? expiryOf(config.object) : undefined);
      if (expiry === undefined) delete status.certificatesExpiryDate;
      else status.certificatesExpiryDate = expiry;
    } catch (error) {
      if (!(error instanceof InvalidTimestampError)) throw error;
      return retry(new ProviderFieldError("failed to reconcile certificates expiry", { cause: error }));
    }
    return undefined;
  },
});

function expiryOf({ metadata }: KubeObject): Timestamp | undefined {
  const text = metadata.annotations?.[annotations.certificatesExpiry];
  return text === undefined ? undefined : parseTimestamp(text);
}
