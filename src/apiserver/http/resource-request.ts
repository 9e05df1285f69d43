import {
  apiVersionOf,
  badRequest,
  encodeJson,
  fieldAt,
  type GroupVersionResource,
  isJsonObject,
  type Json,
  type KubeList,
  type KubeObject,
  type ObjectKey,
  type Status,
} from "#machinery";
import type { Caller } from "#apiserver/admission";
import { type Engine, type Target, type Watching, type Wire, wireFor } from "#apiserver/registry";
import { decodeApply, decodeBody, decodeOptions, decodePatch, patchKindOf } from "./decode-body.ts";
import { readDeleteOptions } from "./delete-options.ts";
import { managerOf } from "./field-manager.ts";
import { readListQuery, readWatchQuery, readWriteQuery, type WriteQuery } from "./query-options.ts";
import type { Operation } from "./operation.ts";
import { isCustom } from "./views.ts";

/** What a request to a resource came to. */
export type Outcome =
  | {
      readonly kind: "object";
      readonly code: number;
      readonly object: KubeObject | Status;
      /** True for the outcome of a write. */
      readonly written: boolean;
    }
  | { readonly kind: "list"; readonly list: KubeList }
  | { readonly kind: "watch"; readonly watching: Watching };

export interface ResourceRequest {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly target: Target;
  readonly operation: Operation;
  readonly query: URLSearchParams;
  readonly userAgent: string | undefined;
  readonly contentType: string | undefined;
  /** Reads the body; called only where one is expected. */
  readonly body: () => Promise<Buffer>;
  /** Made only where it is asked for. */
  readonly signal: () => AbortSignal;
  readonly onWarning: (text: string) => void;
}

/** Does what a request asks for. */
export async function perform(request: ResourceRequest): Promise<Outcome> {
  const { engine, caller, operation, query, onWarning } = request;
  const wire = wireFor(engine, caller);
  const resource = resourceOf(request);
  const { namespace, name, subresource } = operation;
  const key = keyOf(operation);
  const base = { onWarning, ...(subresource === "" ? {} : { subresource }) };
  switch (operation.verb) {
    case "get": {
      const resourceVersion = query.get("resourceVersion") ?? "";
      const options = resourceVersion === "" ? base : { ...base, signal: request.signal(), resourceVersion };
      return { kind: "object", code: 200, object: await wire.get(resource, key, options), written: false };
    }
    case "list":
      return {
        kind: "list",
        list: await wire.list(resource, { ...base, signal: request.signal(), ...readListQuery(query), namespace }),
      };
    case "watch": {
      const options = { ...base, signal: request.signal(), ...readWatchQuery(query), namespace };
      const named = name === "" ? options : { ...options, fieldSelector: `metadata.name=${name}` };
      return { kind: "watch", watching: await wire.watch(resource, named) };
    }
    case "create":
      return await create(wire, request);
    case "update":
      return await update(wire, request);
    case "patch":
      return await patch(wire, request);
    case "delete": {
      const { options, cascading } = await deleteOptions(request);
      const object = await wire.delete(resource, key, { ...base, signal: request.signal(), ...options });
      return { kind: "object", code: cascading && object.kind !== "Status" ? 202 : 200, object, written: true };
    }
    case "deletecollection": {
      const { options } = await deleteOptions(request);
      const selection = { ...readListQuery(query), namespace };
      return {
        kind: "list",
        list: await wire.deleteCollection(resource, { ...base, signal: request.signal(), ...selection, ...options }),
      };
    }
  }
}

async function create(wire: Wire, request: ResourceRequest): Promise<Outcome> {
  const { target, operation, query, contentType } = request;
  const options = readWriteQuery(query, "CreateOptions");
  const { value, duplicateFields } = decodeBody(await request.body(), contentType, target.definition.kind);
  const write = { ...writeOptions(request, options), duplicateFields };
  const object = await wire.create(resourceOf(request), operation.namespace, ofKind(value, target), write);
  return { kind: "object", code: 201, object, written: true };
}

async function update(wire: Wire, request: ResourceRequest): Promise<Outcome> {
  const { target, operation, query, contentType } = request;
  const options = readWriteQuery(query, "UpdateOptions");
  const { value, duplicateFields } = decodeBody(await request.body(), contentType, target.definition.kind);
  const body = operation.subresource === "scale" ? value : ofKind(value, target);
  return await written(async (onCreated) => {
    const write = { ...writeOptions(request, options), duplicateFields, onCreated };
    return await wire.update(resourceOf(request), keyOf(operation), body, write);
  });
}

async function patch(wire: Wire, request: ResourceRequest): Promise<Outcome> {
  const { target, operation, query, contentType } = request;
  const kind = patchKindOf(contentType, isCustom(target));
  const options = readWriteQuery(query, "PatchOptions", kind === "apply" ? "apply" : "other");
  const bytes = await request.body();
  const key = keyOf(operation);
  if (kind !== "apply") {
    const { patch: change, duplicateFields } = decodePatch(bytes, kind);
    const write = { ...writeOptions(request, options), duplicateFields };
    const object = await wire.patch(resourceOf(request), key, change, write);
    return { kind: "object", code: 200, object, written: true };
  }
  const { value, duplicate } = decodeApply(bytes);
  if (duplicate !== undefined) judgeDuplicate(duplicate, options, request);
  if (operation.subresource !== "scale") checkApplied(value, target);
  return await written(async (onCreated) => {
    const write = { ...writeOptions(request, options), onCreated };
    const apply = { ...write, fieldManager: options.fieldManager ?? "", force: options.force === true };
    return await wire.apply(resourceOf(request), key, value, apply);
  });
}

/** A write that may create: the answer says which it was. */
async function written(write: (onCreated: () => void) => Promise<KubeObject>): Promise<Outcome> {
  let code = 200;
  const object = await write(() => {
    code = 201;
  });
  return { kind: "object", code, object, written: true };
}

function writeOptions({ operation, signal, onWarning, userAgent }: ResourceRequest, options: WriteQuery) {
  const { dryRun, fieldManager, fieldValidation } = options;
  return {
    signal: signal(),
    onWarning,
    dryRun,
    ...(fieldManager === undefined ? {} : { fieldManager }),
    defaultManager: managerOf(userAgent),
    ...(operation.subresource === "" ? {} : { subresource: operation.subresource }),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
  };
}

async function deleteOptions({ body, contentType, query }: ResourceRequest) {
  return readDeleteOptions(query, decodeOptions(await body(), contentType)?.value);
}

/** A body that does not say what it is: a built-in kind is what its path says, a custom one is not looked at further. */
function ofKind(body: Json, target: Target): Json {
  if (!isJsonObject(body)) return body;
  const { definition, version } = target;
  const { kind = "", apiVersion = "" } = body;
  if (!isCustom(target)) {
    if (kind !== "" && apiVersion !== "") return body;
    const own = apiVersionOf({ group: definition.group, version: version.version });
    return { ...body, apiVersion: apiVersion === "" ? own : apiVersion, kind: kind === "" ? definition.kind : kind };
  }
  if (typeof kind === "string" && kind !== "") return body;
  const text = encodeJson(body);
  throw badRequest(
    `the object provided is unrecognized (must be of type ${definition.kind}): Object 'Kind' is missing in '${text}' (${text})`,
  );
}

/** How strict to be with a key that stands twice is for the caller to say. */
function judgeDuplicate(problem: string, { fieldValidation }: WriteQuery, { onWarning }: ResourceRequest): void {
  if (fieldValidation === "Strict")
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problem}`);
  if (fieldValidation !== "Ignore") onWarning(`error converting YAML to JSON: ${problem}`);
}

function checkApplied(body: unknown, { definition }: Target): void {
  const [kind, apiVersion] = [fieldAt(body, "kind"), fieldAt(body, "apiVersion")];
  if (kind === definition.kind && typeof apiVersion === "string") return;
  const version = typeof apiVersion === "string" ? apiVersion : "";
  const type = version.includes("/") ? version : `/${version}`;
  throw badRequest(`invalid object type: ${type}, Kind=${typeof kind === "string" ? kind : ""}`);
}

function resourceOf({ target }: ResourceRequest): GroupVersionResource {
  const { definition, version } = target;
  return { group: definition.group, version: version.version, resource: definition.resource };
}

function keyOf({ namespace, name }: Operation): ObjectKey {
  return namespace === "" ? { name } : { namespace, name };
}
