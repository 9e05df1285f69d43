import { badRequest, type KubeObject, type ObjectKey, sharing } from "#machinery";
import { type BodyOptions, readBody } from "./body.ts";
import { createRead } from "./create.ts";
import type { Engine, Request } from "./engine.ts";
import type { Target } from "./resources.ts";
import { rewriteObject } from "./rewrite.ts";

/** Replaces an object by another state of it. */
export async function updateObject(
  engine: Engine,
  request: Request<BodyOptions>,
  key: ObjectKey,
  body: unknown,
): Promise<KubeObject> {
  const { target, options } = request;
  // Most of an update is what is there already: parts that have been checked before need no second look.
  const known = target.collection.head(key.namespace ?? "", key.name);
  const read = readBody(target, known === undefined ? body : sharing(body, known), options, known);
  const object = named(target, read, key);
  const { behaviour } = target.definition;
  return await rewriteObject(engine, request, {
    namespace: key.namespace ?? "",
    name: key.name,
    next: () => object,
    ...(object.metadata.uid === undefined ? {} : { uid: object.metadata.uid }),
    ...(behaviour.createOnUpdate ? { whenAbsent: () => createRead(engine, request, withoutVersion(object)) } : {}),
  });
}

/** The object under the name that the request gives it; one that calls itself otherwise is refused. */
export function named({ definition }: Target, object: KubeObject, { namespace = "", name }: ObjectKey): KubeObject {
  const { metadata } = object;
  const given = metadata.name ?? "";
  if (given !== "" && given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  if ((metadata.namespace ?? namespace) !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (given === name && (!definition.namespaced || metadata.namespace !== undefined)) return object;
  return { ...object, metadata: { ...metadata, name, ...(definition.namespaced ? { namespace } : {}) } };
}

function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
