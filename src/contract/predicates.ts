import { annotations, labels } from "#api";
import type { CacheChange } from "#control";
import type { KubeObject } from "#machinery";

/** Something that happened to an object, or that somebody wants to be known about it. */
export type ObjectEvent<Obj extends KubeObject = KubeObject> =
  | CacheChange<Obj>
  | { readonly kind: "generic"; readonly object: Obj };

/** Decides whether an event is worth waking anybody. */
export type Predicate<Obj extends KubeObject = KubeObject> = (event: ObjectEvent<Obj>) => boolean;

/** True unless the object, after a change the new one, is paused; whatever the annotation says, its presence counts. */
export function resourceNotPaused({ object }: ObjectEvent): boolean {
  return !Object.hasOwn(object.metadata.annotations ?? {}, annotations.paused);
}

/** True for objects that this manager watches: those with its value in the filter label, or all if it has no value. */
export function resourceHasFilterLabel(value: string): Predicate {
  if (value === "") return () => true;
  return ({ object: { metadata } }) =>
    Object.hasOwn(metadata.labels ?? {}, labels.watchFilter) && metadata.labels?.[labels.watchFilter] === value;
}

/** False only for a change that changed nothing, as when objects are shown again. */
export function resourceIsChanged(event: ObjectEvent): boolean {
  if (event.kind !== "changed") return true;
  return event.before.metadata.resourceVersion !== event.object.metadata.resourceVersion;
}

/** True where all of them are: of none, always. */
export function every<Obj extends KubeObject>(predicates: readonly Predicate<Obj>[]): Predicate<Obj> {
  return (event) => predicates.every((predicate) => predicate(event));
}
