import {
  ApiError,
  type CallOptions,
  fieldAt,
  type GetOptions,
  type GroupVersionResource,
  type KubeObject,
  notFound,
  type ObjectKey,
  type Transport,
} from "#machinery";
import type { Caller } from "#apiserver/admission";
import { applyObject } from "./apply.ts";
import { createObject } from "./create.ts";
import { deleteCollection, deleteObject } from "./delete.ts";
import { discoveredResources } from "./discover.ts";
import { type Engine, type Request, subresourceOf } from "./engine.ts";
import { listObjects } from "./list.ts";
import { patchObject } from "./patch.ts";
import { isCustom, noSuchResource, type Target } from "./resources.ts";
import { awaitRevision, badNumber, isRevision } from "./revisions.ts";
import { rescale, shownScale } from "./scale.ts";
import { updateObject } from "./update.ts";
import { oneShownIn } from "./versions.ts";
import { watchObjects } from "./watch.ts";
import { checkDeleteOptions, checkWriteOptions } from "./write-options.ts";

/** The registry as one caller reaches it, in process: the same path as over the wire, without the wire. */
export function transportFor(engine: Engine, caller: Caller): Transport {
  const requestFor = <Options extends RequestOptions>(
    resource: GroupVersionResource,
    options: Options,
    name?: string,
  ) => requestOf(engine, caller, resource, options, name);
  return {
    async get(resource, key, options = {}) {
      return await readObject(engine, requestFor(resource, options, key.name), key);
    },
    async list(resource, options = {}) {
      return await listObjects(engine, requestFor(resource, options));
    },
    watch: (resource, options = {}) => watchObjects(engine, () => requestFor(resource, options)),
    async create(resource, object, options = {}) {
      const request = requestFor(resource, options);
      if (subresourceOf(options) !== "") throw methodNotAllowed();
      checkWriteOptions("CreateOptions", options);
      return await createObject(engine, request, object);
    },
    async update(resource, object, options = {}) {
      const key = keyIn(object);
      const request = requestFor(resource, options, key.name);
      checkWriteOptions("UpdateOptions", options);
      if (isScale(request)) return await rescale(engine, request, key, { kind: "replace", scale: object });
      return await updateObject(engine, request, key, object);
    },
    async patch(resource, key, patch, options = {}) {
      const request = requestFor(resource, options, key.name);
      checkWriteOptions("PatchOptions", options);
      if (isScale(request)) return await rescale(engine, request, key, { kind: "patch", patch });
      return await patchObject(engine, request, key, patch);
    },
    async apply(resource, object, options) {
      const key = keyIn(object);
      const request = requestFor(resource, options, key.name);
      checkWriteOptions("PatchOptions", options);
      if (isScale(request)) return await rescale(engine, request, key, { kind: "apply", configuration: object });
      return await applyObject(engine, request, key, object);
    },
    async delete(resource, key, options = {}) {
      const request = requestFor(resource, options);
      checkDeleteOptions(options);
      return await deleteObject(engine, request, key);
    },
    async deleteCollection(resource, options = {}) {
      const request = requestFor(resource, options);
      checkDeleteOptions(options);
      return await deleteCollection(engine, request);
    },
    discover: () => Promise.resolve(discoveredResources(engine.resources)),
  };
}

type RequestOptions = CallOptions & { readonly subresource?: string };

/** What a caller wants, with the resource that it names found. */
export function requestOf<Options extends RequestOptions>(
  engine: Engine,
  caller: Caller,
  resource: GroupVersionResource,
  options: Options,
  name = "",
): Request<Options> {
  options.signal?.throwIfAborted();
  const target = engine.resources.target(resource);
  if (!hasSubresource(target, subresourceOf(options))) throw noSuchSubresource(target, name);
  const { deprecationWarning } = target.version;
  if (deprecationWarning !== undefined) options.onWarning?.(deprecationWarning);
  return { target, caller, options };
}

/** The key that a body gives itself, which may be anything. */
function keyIn(body: unknown): ObjectKey {
  const [namespace, name] = [fieldAt(body, "metadata", "namespace"), fieldAt(body, "metadata", "name")];
  return {
    name: typeof name === "string" ? name : "",
    ...(typeof namespace === "string" ? { namespace } : {}),
  };
}

/** True where a resource has a part of that name; the object itself is the empty one. */
export function hasSubresource({ version }: Target, subresource: string): boolean {
  switch (subresource) {
    case "":
      return true;
    case "status":
      return version.subresources.status;
    case "scale":
      return version.subresources.scale !== undefined;
    case "finalize":
      return version.subresources.finalize === true;
    case "approval":
      return version.subresources.approval === true;
    default:
      return false;
  }
}

/** Of a custom resource the real server says that the object is missing, where it means the endpoint. */
function noSuchSubresource(target: Target, name: string): ApiError {
  return isCustom(target) ? notFound(target.definition, name) : noSuchResource();
}

function isScale({ options }: Request<RequestOptions>): boolean {
  return options.subresource === "scale";
}

/** One object as it is now, or its Scale. */
export async function readObject(
  engine: Engine,
  request: Request<GetOptions>,
  { namespace = "", name }: ObjectKey,
): Promise<KubeObject> {
  const { target, options } = request;
  const wanted = wantedRevision(options);
  if (wanted > engine.committer.published) await awaitRevision(engine, wanted, options.signal);
  const object = target.collection.get(namespace, name);
  if (object === undefined) throw notFound(target.definition, name);
  const shown = await oneShownIn(target, object);
  return isScale(request) ? shownScale(target, shown) : shown;
}

/** The real server calls a bad number a failure of its own here, though not in a list. */
function wantedRevision({ resourceVersion = "" }: GetOptions): number {
  if (resourceVersion !== "" && !isRevision(resourceVersion)) {
    throw new ApiError({ httpCode: 500, reason: "", message: badNumber(resourceVersion) });
  }
  return Number(resourceVersion);
}

/** The refusal of a verb that a resource does not know. */
export function methodNotAllowed(): ApiError {
  const message = "the server does not allow this method on the requested resource";
  return new ApiError({ httpCode: 405, reason: "MethodNotAllowed", message, details: {} });
}
