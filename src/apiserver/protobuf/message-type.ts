import { builtinKinds, findWireType, type WireType } from "#apiserver/builtin";

// Options are sent under the version of whatever they are sent to.
const ofEveryVersion = new Set([
  "DeleteOptions",
  "ListOptions",
  "GetOptions",
  "CreateOptions",
  "UpdateOptions",
  "PatchOptions",
  "Status",
]);

let types: ReadonlyMap<string, string> | undefined;

/** The type of the message that objects of a kind are; undefined for kinds that only have JSON. */
export function messageType(apiVersion: string, kind: string): WireType | undefined {
  if (ofEveryVersion.has(kind)) return findWireType(`meta/v1.${kind}`);
  types ??= typesByKind();
  const name = types.get(`${apiVersion} ${kind}`);
  return name === undefined ? undefined : findWireType(name);
}

/** The types of all kinds that have an endpoint, or part of one, by apiVersion and kind. */
function typesByKind(): ReadonlyMap<string, string> {
  const found = new Map([["meta.k8s.io/v1 PartialObjectMetadata", "meta/v1.PartialObjectMetadata"]]);
  const homes = new Map<string, string>();
  for (const { group, version, kind, type } of builtinKinds()) {
    const apiVersion = group === "" ? version : `${group}/${version}`;
    found.set(`${apiVersion} ${kind}`, type);
    homes.set(homeOf(type), apiVersion);
  }
  for (const { type, kind } of builtinKinds().flatMap(({ subresources = [] }) => subresources)) {
    if (type !== undefined && kind !== undefined) found.set(`${homes.get(homeOf(type)) ?? homeOf(type)} ${kind}`, type);
  }
  return found;
}

/** `policy/v1` of `policy/v1.Eviction`. */
function homeOf(type: string): string {
  return type.slice(0, type.lastIndexOf("."));
}
