import { annotations } from "#api";
import { type FieldError, FieldPath, invalid, parseInt32 } from "#machinery";

interface Scaled {
  readonly metadata?: { readonly annotations?: { readonly [key: string]: string } };
  readonly spec?: { readonly replicas?: number };
}

/** The number of machines where none is set, or what is wrong with the annotations that decide it. */
export type DefaultReplicas =
  | { readonly kind: "replicas"; readonly replicas: number }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/**
 * The number of machines: the one that is set, otherwise the one that lies within the autoscaler's bounds and is nearest
 * to what there was before, so that handing over to an autoscaler disturbs nothing; otherwise one.
 */
export function defaultReplicas(old: Scaled | undefined, { metadata, spec }: Scaled): DefaultReplicas {
  if (spec?.replicas !== undefined) return { kind: "replicas", replicas: spec.replicas };
  const smallest = metadata?.annotations?.[annotations.autoscalerMinSize];
  const greatest = metadata?.annotations?.[annotations.autoscalerMaxSize];
  if (smallest === undefined || greatest === undefined) return { kind: "replicas", replicas: 1 };
  const least = parseInt32(smallest);
  const most = parseInt32(greatest);
  if (least.kind === "none") return unreadable(annotations.autoscalerMinSize, smallest, least.why);
  if (most.kind === "none") return unreadable(annotations.autoscalerMaxSize, greatest, most.why);
  const before = old?.spec?.replicas ?? least.value;
  return { kind: "replicas", replicas: before < least.value ? least.value : Math.min(before, most.value) };
}

/** The object with a number of machines, and what kept it from getting one. */
export function withReplicas<Obj extends Scaled>(old: Scaled | undefined, object: Obj) {
  const decided = defaultReplicas(old, object);
  if (decided.kind === "invalid") return { object, errors: decided.errors };
  return { object: { ...object, spec: { ...object.spec, replicas: decided.replicas } }, errors: [] };
}

function unreadable(annotation: string, value: string, why: string): DefaultReplicas {
  const at = FieldPath.of("metadata", "annotations", annotation);
  return { kind: "invalid", errors: [invalid(at, value, `could not parse the value of the annotation: ${why}`)] };
}
