import type { AdmissionRequest, AdmissionVerdict, AdmissionWebhook } from "#control";
import { ApiError } from "#machinery";
import { type Admission, admissionOf, type Write } from "./admission.ts";
import type { Lookups } from "./lookups.ts";
import { webhookPath } from "./registration.ts";
import type { Webhook } from "./webhook.ts";

/** The webhooks in the form that a manager serves to API servers elsewhere. */
export function servedWebhooks(webhooks: readonly Webhook[], lookups: Lookups): readonly AdmissionWebhook[] {
  return webhooks.flatMap((webhook) => {
    const admission = admissionOf(webhook, lookups);
    const validating = { path: webhookPath("validate", webhook.kind), review: reviewed(admission, validated) };
    if (webhook.fillIn === undefined) return [validating];
    return [{ path: webhookPath("mutate", webhook.kind), review: reviewed(admission, filledIn) }, validating];
  });
}

/** Asks about what the webhook has a say in; everything else is let be. */
function reviewed(admission: Admission, ask: (admission: Admission, write: Write) => Promise<AdmissionVerdict>) {
  return async ({ operation, ...request }: AdmissionRequest): Promise<AdmissionVerdict> => {
    if (operation === "CONNECT") return { kind: "allowed" };
    const write = { operation, ...request };
    return admission.handles(write) ? await ask(admission, write) : { kind: "allowed" };
  };
}

async function filledIn(admission: Admission, write: Write): Promise<AdmissionVerdict> {
  if (write.object === undefined) return { kind: "allowed" };
  return { kind: "allowed", object: await admission.mutate(write.object, write) };
}

async function validated(admission: Admission, write: Write): Promise<AdmissionVerdict> {
  const warnings: string[] = [];
  try {
    await admission.validate(write, { warn: (text) => warnings.push(text) });
    return { kind: "allowed", warnings };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: "denied", error, warnings };
  }
}
