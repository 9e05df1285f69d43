import { CapstanError } from "#base";

/** A version of an API group; the core group has no name. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A kind, whatever its version. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A kind in one of its versions. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** What a URL names: the plural, lower-case name of a kind in a group and version. */
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** An apiVersion with more than one slash. */
export class InvalidGroupVersionError extends CapstanError {
  readonly code = "INVALID_GROUP_VERSION";
}

/** Reads an apiVersion: `v1` has no group, `cluster.x-k8s.io/v1beta2` has one. */
export function parseGroupVersion(apiVersion: string): GroupVersion {
  if (apiVersion === "" || apiVersion === "/") return { group: "", version: "" };
  const parts = apiVersion.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2) throw new InvalidGroupVersionError(`unexpected GroupVersion string: ${apiVersion}`);
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

/** The apiVersion of objects of a group and version. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The kind of an object; an apiVersion that cannot be read gives an empty one, as in Go. */
export function kindOf(object: { readonly apiVersion?: string; readonly kind?: string }): GroupVersionKind {
  const { apiVersion = "", kind = "" } = object;
  if (apiVersion.split("/").length > 2) return { group: "", version: "", kind: "" };
  return { ...parseGroupVersion(apiVersion), kind };
}

/** `<group>/<version>, Kind=<kind>`. */
export function describeKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** `<Kind>.<group>`, or the kind alone in the core group. */
export function describeGroupKind({ group, kind }: GroupKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** `<resource>.<group>`, or the resource alone in the core group. */
export function describeGroupResource({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): string {
  return group === "" ? resource : `${resource}.${group}`;
}
