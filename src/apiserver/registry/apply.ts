import {
  type ApiError,
  type ApplyOptions,
  conflict,
  FieldPath,
  invalidObject,
  type KubeObject,
  type ObjectKey,
  required,
} from "#machinery";
import { type BodyOptions, checkBody } from "./body.ts";
import { createRead } from "./create.ts";
import type { Engine, Request } from "./engine.ts";
import { applied } from "./ownership.ts";
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
  const configuration = named(target, checkBody(target, body), key);
  const whole = (live: KubeObject | undefined): KubeObject => {
    const object = applied(engine, request, configuration, live);
    const { schema } = target.version;
    return object === live ? object : schema.applyDefaults(schema.prune(object));
  };
  return await rewriteObject(engine, request, {
    namespace: key.namespace ?? "",
    name: key.name,
    next: whole,
    owners: "known",
    whenAbsent: async () => {
      if ((configuration.metadata.uid ?? "") !== "") throw nothingToUpdate(request, configuration);
      return await createRead(engine, request, whole(undefined), "known");
    },
  });
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
