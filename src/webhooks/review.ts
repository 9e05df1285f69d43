import type { FieldError, KubeObject } from "#machinery";
import { hasRightTypes, isComplete } from "./fit.ts";
import type { Lookups } from "./lookups.ts";
import type { Webhook } from "./webhook.ts";

/** What becomes of an object: it is taken as it stands here, or refused for what is wrong with it. */
export type Review =
  | { readonly kind: "taken"; readonly object: KubeObject; readonly warnings: readonly string[] }
  | { readonly kind: "refused"; readonly errors: readonly FieldError[] }
  /** It does not even fit its schema, which says why. */
  | { readonly kind: "unfit" };

/** Fills in what was left out and says what is wrong, as a server does in several steps. */
export async function review(
  webhook: Webhook,
  { old, object }: { readonly old?: KubeObject; readonly object: KubeObject },
  lookups: Lookups,
): Promise<Review> {
  if (!hasRightTypes(webhook.kind, object)) return { kind: "unfit" };
  const defaulted = (await webhook.fillIn?.(old, object, lookups)) ?? { object, errors: [] };
  if (defaulted.errors.length > 0) return { kind: "refused", errors: defaulted.errors };
  if (!isComplete(webhook.kind, defaulted.object)) return { kind: "unfit" };
  const refusal = webhook.refuseAll?.(lookups);
  if (refusal !== undefined) return { kind: "refused", errors: [refusal] };
  const errors = await webhook.validate(old, defaulted.object, lookups);
  if (errors.length > 0) return { kind: "refused", errors };
  const warnings = (await webhook.warn?.(old, defaulted.object, lookups)) ?? [];
  return { kind: "taken", object: defaulted.object, warnings };
}
