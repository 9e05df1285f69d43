import type {
  DeleteOptions,
  GroupVersionResource,
  JsonObject,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "#machinery";

/** What a URL names: a collection, an object, or a part of one. */
export interface Place {
  readonly resource: GroupVersionResource;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Parameters of a query; those without a value are left out. */
export type Query = { readonly [name: string]: string | number | boolean | undefined };

/** The path of a place on any API server. */
export function pathOf({ resource, namespace = "", name = "", subresource = "" }: Place): string {
  const { group, version } = resource;
  let path = group === "" ? `/api/${segment(version)}` : `/apis/${segment(group)}/${segment(version)}`;
  // A Namespace is not inside itself, even where an object says so.
  const isNamespace = group === "" && resource.resource === "namespaces";
  if (namespace !== "" && !isNamespace) path += `/namespaces/${segment(namespace)}`;
  path += `/${segment(resource.resource)}`;
  if (name !== "") path += `/${segment(name)}`;
  // A subresource may have a path of its own, as `proxy` does.
  if (subresource !== "") path += `/${subresource.split("/").map(segment).join("/")}`;
  return path;
}

/** A path with its query. */
export function withQuery(path: string, query: Query): string {
  let text = "";
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
  return path + text;
}

/** What a list asks for. */
export function listQuery(options: ListOptions): Query {
  const { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch } = options;
  return {
    labelSelector,
    fieldSelector,
    limit,
    continue: options.continue,
    resourceVersion,
    resourceVersionMatch,
  };
}

/** What a watch asks for. */
export function watchQuery(options: WatchOptions): Query {
  const { allowWatchBookmarks, sendInitialEvents, timeout } = options;
  return {
    watch: true,
    ...listQuery(options),
    allowWatchBookmarks,
    sendInitialEvents,
    timeoutSeconds: timeout === undefined ? undefined : Math.ceil(timeout / 1000),
  };
}

/** How a write is meant. */
export function writeQuery({ dryRun, fieldManager, fieldValidation }: WriteOptions): Query {
  return { dryRun: dryRun === true ? "All" : undefined, fieldManager, fieldValidation };
}

/** How a deletion is meant, as its body says it. */
export function deleteBody(options: DeleteOptions): JsonObject {
  const { propagationPolicy, preconditions, gracePeriodSeconds, dryRun } = options;
  return {
    kind: "DeleteOptions",
    apiVersion: "v1",
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions: { ...preconditions } }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
  };
}

/** A name is a segment whatever it contains; the two that mean a direction would lead elsewhere. */
function segment(text: string): string {
  if (text === "." || text === "..") return text.replaceAll(".", "%2E");
  return encodeURIComponent(text);
}
