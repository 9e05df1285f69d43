import {
  ApiError,
  type CallOptions,
  describeKind,
  type GroupVersionKind,
  type GroupVersionResource,
  kindOf,
  type KubeObject,
  type ObjectKey,
} from "#machinery";
import { UnexpectedKindError } from "./errors.ts";
import type { RestMapper } from "./rest-mapper.ts";

/** A kind whose resource and type are known; what `defineKind` declares is one. */
export interface ServedKind<Obj extends KubeObject = KubeObject> extends GroupVersionKind {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  is(object: KubeObject): object is Obj;
}

/** A kind by its declaration, or by its names alone: then the server is asked for its resource. */
export type AnyKind<Obj extends KubeObject = KubeObject> = ServedKind<Obj> | GroupVersionKind;

/** Where the objects of a kind are found. */
export interface KindPlace {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
}

/** True where nobody has to be asked for the resource. */
export function isServedKind<Obj extends KubeObject>(kind: AnyKind<Obj>): kind is ServedKind<Obj> {
  return "is" in kind;
}

/** Finds the resource of a kind. */
export async function placeOf(
  kind: AnyKind,
  mapper: RestMapper,
  { signal }: Pick<CallOptions, "signal"> = {},
): Promise<KindPlace> {
  if (isServedKind(kind)) return kind;
  const { group, version, resource, namespaced } = await mapper.resourceOf(
    kind,
    signal === undefined ? {} : { signal },
  );
  return { resource: { group, version, resource }, namespaced };
}

/** A key as the scope of a kind wants it. */
export function scopedKey({ namespace = "", name }: ObjectKey, { namespaced }: KindPlace): ObjectKey {
  if (name === "") throw refusal("resource name may not be empty");
  if (!namespaced) return { name };
  if (namespace === "") throw refusal("an empty namespace may not be set when a resource name is provided");
  return { namespace, name };
}

/** An object as one of a kind; one of another kind is not passed on under a false type. */
export function asKind<Obj extends KubeObject>(kind: AnyKind<Obj>, object: KubeObject): Obj {
  if (isServedKind(kind) && !kind.is(object)) {
    const got = describeKind(kindOf(object));
    throw new UnexpectedKindError(`the server answered with ${got} where ${describeKind(kind)} was asked for`);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above, or typed by its caller who named the kind
  return object as Obj;
}

function refusal(message: string): ApiError {
  return new ApiError({ httpCode: 400, reason: "BadRequest", message });
}
