import type { FieldError, Kind, KubeObject } from "#machinery";
import type { Lookups } from "./lookups.ts";

/** A part of an object on its way in: nobody has checked yet that what is required is there. */
export type Incomplete<T> = unknown extends T
  ? T
  : T extends string | number | bigint | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Incomplete<Item>[]
      : string extends keyof T
        ? { readonly [Name in keyof T]: Incomplete<T[Name]> }
        : { readonly [Name in keyof T]?: Incomplete<T[Name]> };

type Head = "apiVersion" | "kind" | "metadata";

/** An object on its way in: it says what it is, and the rest may be incomplete. */
export type Incoming<Obj extends KubeObject> = Pick<Obj, Head> & Incomplete<Omit<Obj, Head>>;

/** What defaulting gives: the object, and what kept it from filling something in. */
export interface Defaulted<Obj extends KubeObject> {
  readonly object: Incoming<Obj>;
  readonly errors: readonly FieldError[];
}

/** What Cluster API does to the objects of a kind when they are written. All of it reads nothing but what it is handed. */
export interface Webhook<Obj extends KubeObject = KubeObject> {
  readonly kind: Kind<Obj>;
  /** Fills in what was left out. `old` is the stored object, if there is one. */
  fillIn?(old: Obj | undefined, object: Incoming<Obj>, lookups: Lookups): MaybePromise<Defaulted<Obj>>;
  /** Why no object of the kind may be written at all; where there is a reason, nothing else is told. */
  refuseAll?(lookups: Lookups): FieldError | undefined;
  /** What is wrong with an object that fits its schema. */
  validate(old: Obj | undefined, object: Obj, lookups: Lookups): MaybePromise<readonly FieldError[]>;
  /** What the writer should know although nothing is wrong. */
  warn?(old: Obj | undefined, object: Obj, lookups: Lookups): MaybePromise<readonly string[]>;
  /** Why an object must not be deleted; undefined where it may be. */
  refuseDelete?(object: Obj, lookups: Lookups): MaybePromise<string | undefined>;
}

type MaybePromise<T> = T | Promise<T>;

/** Declares what happens to the objects of a kind when they are written. */
export function defineWebhook<Obj extends KubeObject>(webhook: Webhook<Obj>): Webhook<Obj> {
  return webhook;
}
