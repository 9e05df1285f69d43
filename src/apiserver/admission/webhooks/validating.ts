import type { AdmissionContext, AdmissionPlugin } from "../admission.ts";
import { askHook } from "./ask-hook.ts";
import type { ConcernedHooks } from "./concerned-hooks.ts";
import { guiseOf } from "./concern.ts";
import type { WebhookParts } from "./mutating.ts";
import { VersionedRequest } from "./versions.ts";

/** Asks webhooks that can only refuse, all at once; the refusal that comes first is the one that counts. */
export function validatingWebhooks(hooks: ConcernedHooks, parts: WebhookParts): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionWebhook",
    handles: (request) => hooks.concernedBy(request).length > 0,
    async validate(request, context: AdmissionContext) {
      const versioned = new VersionedRequest(request, parts.versions);
      const askings = [];
      for (const hook of hooks.concernedBy(request)) {
        const guise = await guiseOf(hook, versioned, parts);
        if (guise !== undefined) askings.push({ hook, guise, versioned, context, mayChange: false });
      }
      const refusals: unknown[] = [];
      // Nobody is left unasked because another one has refused already.
      await Promise.all(
        askings.map(async (asking) => {
          try {
            await askHook(parts, asking, () => undefined);
          } catch (error) {
            refusals.push(error);
          }
        }),
      );
      if (refusals.length > 0) throw refusals[0];
    },
  };
}
