import type { AdmissionPlugin } from "../admission.ts";
import { ConcernedHooks } from "./concerned-hooks.ts";
import { type Configurations, HookList } from "./hook-list.ts";
import { mutatingWebhooks, type WebhookParts } from "./mutating.ts";
import { validatingWebhooks } from "./validating.ts";

export interface WebhooksOptions extends WebhookParts {
  readonly mutating: Configurations;
  readonly validating: Configurations;
}

/** The webhooks that configurations name, as plugins. */
export interface Webhooks {
  readonly plugins: readonly AdmissionPlugin[];
  /** Asks them from now on. */
  open(): void;
}

/** Makes plugins of the stored MutatingWebhookConfigurations and ValidatingWebhookConfigurations. */
export function admissionWebhooks({ mutating, validating, ...parts }: WebhooksOptions): Webhooks {
  const changing = new ConcernedHooks(new HookList(mutating), parts.versions);
  const refusing = new ConcernedHooks(new HookList(validating), parts.versions);
  return {
    plugins: [mutatingWebhooks(changing, parts), validatingWebhooks(refusing, parts)],
    open() {
      changing.open();
      refusing.open();
    },
  };
}
