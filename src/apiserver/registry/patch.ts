import { describeError } from "#base";
import {
  ApiError,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  asJson,
  badRequest,
  encodeJson,
  FieldPath,
  invalid,
  invalidObject,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  JsonPatchError,
  JsonTooDeepError,
  type KubeObject,
  type ObjectKey,
  type Patch,
  StrategicMergePatchError,
} from "#machinery";
import { type BodyOptions, cannotBeHandled, readBody } from "./body.ts";
import type { Engine, Request } from "./engine.ts";
import type { Target } from "./resources.ts";
import { rewriteObject } from "./rewrite.ts";
import { named } from "./update.ts";

/** Changes part of an object; without a resourceVersion in the patch it never conflicts. */
export async function patchObject(
  engine: Engine,
  request: Request<BodyOptions>,
  key: ObjectKey,
  patch: Patch,
): Promise<KubeObject> {
  const { target } = request;
  checkPatch(target, patch);
  return await rewriteObject(engine, request, {
    namespace: key.namespace ?? "",
    name: key.name,
    next: (old) => {
      const document = patchedDocument(target.version.structure, old, patch);
      return named(target, readPatched(request, document, old), key);
    },
  });
}

/** Reads what a patch made of an object; what cannot be read is the fault of the patch. */
function readPatched({ target, options }: Request<BodyOptions>, document: Json, old: KubeObject): KubeObject {
  try {
    return readBody(target, document, options, old);
  } catch (error) {
    const beginning = `${cannotBeHandled(target)}: `;
    if (!(error instanceof ApiError) || !error.message.startsWith(beginning)) throw error;
    const why = error.message.slice(beginning.length);
    throw invalidObject({ group: "", kind: "" }, "", [invalid(FieldPath.of("patch"), encodeJson(document), why)]);
  }
}

const mediaTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

function checkPatch({ definition }: Target, patch: Patch): void {
  if (patch.kind === "strategic" && !definition.behaviour.strategicPatches) {
    const accepted = [mediaTypes.json, mediaTypes.merge, mediaTypes.apply].join(", ");
    const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
    throw new ApiError({ httpCode: 415, reason: "UnsupportedMediaType", message });
  }
  if (patch.kind !== "json" && !isJsonObject(patch.patch)) {
    const what = patch.patch === null ? "null" : Array.isArray(patch.patch) ? "array" : typeof patch.patch;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${what} into Go value of type map[string]interface {}`,
    );
  }
}

/** A document after a patch of any form. */
export function patchedDocument(structure: JsonSchema, old: KubeObject, patch: Patch): Json {
  try {
    return patchedBy(structure, old, patch);
  } catch (error) {
    if (!(error instanceof JsonTooDeepError)) throw error;
    throw badRequest(`error decoding patch: ${error.message}`);
  }
}

function patchedBy(structure: JsonSchema, old: KubeObject, patch: Patch): Json {
  const document = asJson(old);
  switch (patch.kind) {
    case "merge":
      return applyMergePatch(document, patch.patch, { dialect: "kubernetes" });
    case "strategic":
      return strategicallyPatched(document, patch.patch, structure);
    case "json":
      return jsonPatched(document, patch.operations);
  }
}

function strategicallyPatched(document: JsonObject, patch: Json, structure: JsonSchema): Json {
  try {
    return applyStrategicMergePatch(document, isJsonObject(patch) ? patch : {}, structure);
  } catch (error) {
    if (!(error instanceof StrategicMergePatchError)) throw error;
    if (error.problem === "malformed") throw badRequest(error.message);
    throw new ApiError({ httpCode: 500, reason: "", message: error.message, cause: error });
  }
}

function jsonPatched(document: Json, operations: Extract<Patch, { kind: "json" }>["operations"]): Json {
  try {
    return applyJsonPatch(document, operations, { dialect: "kubernetes" });
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    if (error.problem === "malformed") throw badRequest(`error decoding patch: ${describeError(error)}`);
    throw refusedPatch(error);
  }
}

function refusedPatch(cause: JsonPatchError): ApiError {
  if (cause.problem === "too-many-operations") {
    return new ApiError({
      httpCode: 413,
      reason: "RequestEntityTooLarge",
      message: `Request entity too large: ${cause.message}`,
      cause,
    });
  }
  const message = "the server rejected our request due to an error in our request";
  return new ApiError({ httpCode: 422, reason: "Invalid", message, details: {}, cause });
}
