import {
  type ApiError,
  type ApplyOptions,
  conflict,
  fieldAt,
  FieldPath,
  invalidObject,
  isJsonObject,
  type KubeObject,
  type ObjectKey,
  required,
} from "#machinery";
import { type BodyOptions, checkBody } from "./body.ts";
import { createRead } from "./create.ts";
import type { Engine, Request } from "./engine.ts";
import { withValue } from "./owners-across-versions.ts";
import { applied } from "./ownership.ts";
import { isCustom, type Target } from "./resources.ts";
import { rewriteObject } from "./rewrite.ts";
import { named } from "./update.ts";

/** Server-side apply: lays what a manager wants over an object, and creates it where there is none. */
export async function applyObject(
  engine: Engine,
  request: Request<ApplyOptions & BodyOptions>,
  key: ObjectKey,
  body: unknown,
): Promise<KubeObject> {
  const { target, options } = request;
  if (options.fieldManager === "") throw managerRequired();
  const configuration = configurationOf(target, body, key);
  const whole = (live: KubeObject | undefined): KubeObject | Promise<KubeObject> =>
    withValue(applied(engine, request, configuration, live), (object) => {
      if (object === live) return object;
      // Nothing is pruned here: what the schema does not know has been refused, and a null has to be found out.
      return target.version.schema.applyDefaults(asRead(target, checkBody(target, object, { older: live })));
    });
  return await rewriteObject(engine, request, {
    namespace: key.namespace ?? "",
    name: key.name,
    next: whole,
    owners: "known",
    whenAbsent: async () => {
      if ((configuration.metadata.uid ?? "") !== "") throw nothingToUpdate(request, configuration);
      return await createRead(engine, request, inNamespace(await whole(undefined), key), "known");
    },
  });
}

/** Of a built-in kind nothing but what its type can hold is left, and what its type always writes is there. */
function asRead(target: Target, object: KubeObject): KubeObject {
  return isCustom(target) ? object : target.version.schema.prune(object);
}

/** What the manager wants, word for word: even an empty map of labels is something to own. */
function configurationOf(target: Target, body: unknown, key: ObjectKey): KubeObject {
  const checked = named(target, checkBody(target, body), key);
  const { name = "" } = checked.metadata;
  const given = fieldAt(body, "metadata");
  return { ...checked, metadata: { ...(isJsonObject(given) ? given : {}), name } };
}

function inNamespace(object: KubeObject, { namespace = "" }: ObjectKey): KubeObject {
  return namespace === "" ? object : { ...object, metadata: { ...object.metadata, namespace } };
}

function managerRequired(): ApiError {
  const problem = required(FieldPath.of("fieldManager"), "is required for apply patch");
  return invalidObject({ group: "meta.k8s.io", kind: "PatchOptions" }, "", [problem]);
}

/** A uid says "update, do not create". */
function nothingToUpdate({ target }: Request<ApplyOptions>, { metadata }: KubeObject): ApiError {
  const why = `uid mismatch: the provided object specified uid ${metadata.uid ?? ""}, and no existing object was found`;
  return conflict(target.definition, metadata.name ?? "", why);
}
