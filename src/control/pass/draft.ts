import type { KubeObject, ObjectMeta } from "#machinery";

/** Data in the making: its fields can be set. A list is replaced as a whole, so that a list of frozen data fits too. */
export type Draft<T> = unknown extends T
  ? T
  : T extends string | number | bigint | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Draft<Item>[]
      : { -readonly [Name in keyof T]: Draft<T[Name]> };

type PartOf<Obj, Name extends string> = Obj extends { readonly [N in Name]?: infer Part }
  ? unknown extends Part
    ? { [field: string]: unknown }
    : NonNullable<Part>
  : object;

/** The status of an object in the making, without its conditions: those are decided by tables alone. */
export type StatusDraft<Obj extends KubeObject> = Draft<Omit<PartOf<Obj, "status">, "conditions">>;

/** The spec of an object in the making. */
export type SpecDraft<Obj extends KubeObject> = Draft<PartOf<Obj, "spec">>;

/** What a pass may change of the metadata of its object. */
export type MetadataDraft = Draft<Pick<ObjectMeta, "labels" | "annotations" | "ownerReferences" | "finalizers">>;
