import { ApiError } from "#machinery";
import { hasSubresource, methodNotAllowed, noSuchResource, type Resources, type Target } from "#apiserver/registry";
import { booleanIn } from "./query-options.ts";
import type { ResourcePath } from "./request-path.ts";
import type { ResourceAttributes } from "#apiserver/auth";
import { isCustom } from "./views.ts";

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

/** What is to be done to which object or objects. */
export interface Operation {
  readonly verb: Verb;
  /** Empty for all namespaces, and for what lives in none. */
  readonly namespace: string;
  /** Empty for a whole collection. */
  readonly name: string;
  readonly subresource: string;
}

/** A path under a group, version or resource that nobody serves; it has a plain text for an answer. */
export class PageNotFoundError extends ApiError {
  override readonly code = "PAGE_NOT_FOUND";

  constructor() {
    super({ httpCode: 404, reason: "NotFound", message: "404 page not found" });
  }
}

/** The verb of a request, as rules of access name it. */
export function verbOf(method: string, path: ResourcePath, query: URLSearchParams): string {
  const one = path.name !== undefined;
  switch (method) {
    case "GET":
      if (path.watching || (!one && booleanIn(query, "watch") === true)) return "watch";
      return one ? "get" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return one ? "delete" : "deletecollection";
    default:
      return method.toLowerCase();
  }
}

/** What a request wants, in the words of rules of access. */
export function attributesOf(method: string, path: ResourcePath, query: URLSearchParams): ResourceAttributes {
  const verb = verbOf(method, path, query);
  const { group, version, resource, subresource } = path;
  const selected = verb === "list" || verb === "watch" ? nameIn(query.get("fieldSelector") ?? "") : "";
  const name = path.name ?? selected;
  // A namespace is its own home, so that rules within it reach it.
  const home = resource === "namespaces" && group === "" ? name : "";
  return { verb, group, version, resource, subresource, namespace: path.namespace ?? home, name };
}

/** Finds what a path leads to, and what can be done to it. */
export function operationOn(
  resources: Resources,
  path: ResourcePath,
  verb: string,
  isBuiltinGroup: (group: string) => boolean,
): { readonly target: Target; readonly operation: Operation } {
  const builtin = isBuiltinGroup(path.group);
  const absent = () =>
    builtin && !(path.group === "" && path.version !== "v1") ? noSuchResource() : new PageNotFoundError();
  const target = targetOf(resources, path);
  if (target === undefined || path.tooLong) throw absent();
  const { namespaced, group, resource } = target.definition;
  const { name = "", subresource } = path;
  const namespace = namespaced ? (path.namespace ?? "") : "";
  if (!namespaced && path.namespace !== undefined) throw absent();
  if (namespaced && namespace === "" && verb !== "list" && verb !== "watch") {
    throw name !== "" || isCustom(target) ? absent() : methodNotAllowed();
  }
  if (!hasSubresource(target, subresource)) throw isCustom(target) ? notFoundIn(target, name) : absent();
  if (!isVerb(verb) || !isAllowed(verb, name, subresource)) {
    throw isCustom(target) && subresource !== "" ? notSupportedOn(verb, { group, resource }) : methodNotAllowed();
  }
  return { target, operation: { verb, namespace, name, subresource } };
}

function targetOf(resources: Resources, path: ResourcePath): Target | undefined {
  const served = resources.find(path);
  const version = served?.definition.versions.find((each) => each.version === path.version && each.served);
  if (served === undefined || version === undefined) return undefined;
  return { definition: served.definition, collection: served.collection, version };
}

function isAllowed(verb: Verb, name: string, subresource: string): boolean {
  if (subresource !== "") return verb === "get" || verb === "update" || verb === "patch";
  if (name === "") return verb === "list" || verb === "watch" || verb === "create" || verb === "deletecollection";
  return verb !== "create" && verb !== "list" && verb !== "deletecollection";
}

const verbs: ReadonlySet<string> = new Set<Verb>([
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
]);

function isVerb(text: string): text is Verb {
  return verbs.has(text);
}

function notFoundIn({ definition }: Target, name: string): ApiError {
  const { group, resource: kind } = definition;
  const message = `${kind}.${group} ${JSON.stringify(name)} not found`;
  return new ApiError({ httpCode: 404, reason: "NotFound", message, details: { name, group, kind } });
}

function notSupportedOn(
  verb: string,
  { group, resource }: { readonly group: string; readonly resource: string },
): ApiError {
  const message = `${verb} is not supported on resources of kind "${resource}.${group}"`;
  return new ApiError({ httpCode: 405, reason: "MethodNotAllowed", message, details: { group, kind: resource } });
}

/** The one name that a field selector asks for. */
function nameIn(selector: string): string {
  const [, name = ""] = /(?:^|,)metadata\.name==?([^,]*)/.exec(selector) ?? [];
  return name;
}
