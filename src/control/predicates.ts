import { deepEqual, type KubeObject } from "#machinery";
import type { CacheChange } from "./cache/kind-cache.ts";

/** Whether a change is worth a pass. */
export type Predicate<Obj extends KubeObject = KubeObject> = (change: CacheChange<Obj>) => boolean;

/** All of them have to hold. */
export function every<Obj extends KubeObject = KubeObject>(...predicates: readonly Predicate<Obj>[]): Predicate<Obj> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/** One of them has to hold. */
export function some<Obj extends KubeObject = KubeObject>(...predicates: readonly Predicate<Obj>[]): Predicate<Obj> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/** The opposite. */
export function not<Obj extends KubeObject = KubeObject>(predicate: Predicate<Obj>): Predicate<Obj> {
  return (change) => !predicate(change);
}

/** The object, as it is after the change, is such a one. */
export function objectIs<Obj extends KubeObject = KubeObject>(test: (object: Obj) => boolean): Predicate<Obj> {
  return ({ object }) => test(object);
}

/** Something about the object differs; it is not only shown again. */
export const isChanged: Predicate = (change) =>
  change.kind !== "changed" || change.before.metadata.resourceVersion !== change.object.metadata.resourceVersion;

/** What was asked of the object differs, not only what was found out about it. */
export const generationChanged: Predicate = (change) =>
  change.kind !== "changed" || change.before.metadata.generation !== change.object.metadata.generation;

/** Part of the object differs, as far as a function picks it. */
export function pickChanged<Obj extends KubeObject = KubeObject>(pick: (object: Obj) => unknown): Predicate<Obj> {
  return (change) => change.kind !== "changed" || !deepEqual(pick(change.before), pick(change.object));
}

/** The object carries a label of this value. An empty value lets everything pass, as a flag that is not set does. */
export function hasLabel(label: string, value: string): Predicate {
  return ({ object }) => value === "" || object.metadata.labels?.[label] === value;
}

/** The object does not carry an annotation, whatever its value. */
export function lacksAnnotation(annotation: string): Predicate {
  return ({ object }) => !Object.hasOwn(object.metadata.annotations ?? {}, annotation);
}
