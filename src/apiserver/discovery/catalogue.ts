import { createHash } from "node:crypto";
import { type BuiltinKind, builtinKinds, isStored } from "#apiserver/builtin";
import { hasSubresource, type Resources, type Served, type Target } from "#apiserver/registry";
import { storageOf, type VersionDefinition } from "#apiserver/resources";

/** A resource of one version, as clients are told of it. */
export interface CataloguedResource {
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly CataloguedSubresource[];
  /** Told by custom resources alone: the real server leaves group and version of the others empty. */
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
  /** Empty for what is not kept. */
  readonly storageVersionHash: string;
}

export interface CataloguedSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The group and version are empty where they are those of the resource itself. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
}

export interface CataloguedVersion {
  readonly version: string;
  readonly resources: readonly CataloguedResource[];
}

/** A group with its versions, the one that clients should pick first. */
export interface CataloguedGroup {
  readonly group: string;
  readonly versions: readonly CataloguedVersion[];
}

/** Names a resource, or a part of one, that is answered and not kept. */
export interface AnsweredName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}

const customVerbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const partVerbs = ["get", "patch", "update"];

let builtinGroupNames: ReadonlySet<string> | undefined;

/** True for the groups that Kubernetes itself has. */
export function isBuiltinGroup(group: string): boolean {
  builtinGroupNames ??= new Set(builtinKinds().map((kind) => kind.group));
  return builtinGroupNames.has(group);
}

/** Everything that is served at the moment: Kubernetes' own groups in their order, then all others by name. */
export function catalogueOf(resources: Resources, answered: readonly AnsweredName[]): readonly CataloguedGroup[] {
  const builtin = new Map<string, Map<string, CataloguedResource[]>>();
  for (const kind of builtinKinds()) {
    const entry = builtinResource(kind, resources, answered);
    if (entry !== undefined) place(builtin, kind, entry);
  }
  const custom = new Map<string, Map<string, CataloguedResource[]>>();
  for (const served of [...resources.all()].toSorted((a, b) => byText(a.definition.resource, b.definition.resource))) {
    if (isBuiltinGroup(served.definition.group)) continue;
    for (const version of served.definition.versions) {
      if (version.served)
        place(custom, { group: served.definition.group, version: version.version }, customResource(served, version));
    }
  }
  const others = [...custom].toSorted(([a], [b]) => byText(a, b));
  return [...builtin, ...others].map(([group, versions]) => ({
    group,
    versions: [...versions]
      .map(([version, all]) => ({ version, resources: all }))
      .toSorted((a, b) => (isBuiltinGroup(group) ? 0 : preference(a.version, b.version))),
  }));
}

function place(
  groups: Map<string, Map<string, CataloguedResource[]>>,
  { group, version }: { readonly group: string; readonly version: string },
  entry: CataloguedResource,
): void {
  const versions = groups.get(group) ?? new Map<string, CataloguedResource[]>();
  groups.set(group, versions);
  const entries = versions.get(version) ?? [];
  versions.set(version, entries);
  entries.push(entry);
}

function builtinResource(
  kind: BuiltinKind,
  resources: Resources,
  answered: readonly AnsweredName[],
): CataloguedResource | undefined {
  const { group, version, resource } = kind;
  const isAnswered = (subresource: string) =>
    answered.some(
      (each) =>
        each.group === group &&
        each.version === version &&
        each.resource === resource &&
        each.subresource === subresource,
    );
  const target = isStored(kind) ? targetOf(resources, kind) : undefined;
  if (target === undefined && !isAnswered("")) return undefined;
  const parts = (kind.subresources ?? []).filter(
    ({ name }) => (target !== undefined && hasSubresource(target, name)) || isAnswered(name),
  );
  return {
    resource,
    singular: kind.singular,
    kind: kind.kind,
    namespaced: kind.namespaced,
    verbs: kind.verbs,
    shortNames: kind.shortNames ?? [],
    categories: kind.categories ?? [],
    subresources: parts.map(({ name, verbs, kind: other, type }) => ({
      name,
      verbs,
      kind: other === undefined ? { group: "", version: "", kind: kind.kind } : { ...homeOf(type, kind), kind: other },
    })),
    responseKind: { group: "", version: "", kind: kind.kind },
    storageVersionHash: target === undefined ? "" : storageHash(target),
  };
}

function customResource(served: Served, version: VersionDefinition): CataloguedResource {
  const { group, resource, singular, kind, namespaced, shortNames, categories } = served.definition;
  const { status, scale } = version.subresources;
  const own = { group, version: version.version, kind };
  return {
    resource,
    singular,
    kind,
    namespaced,
    verbs: customVerbs,
    shortNames,
    categories,
    subresources: [
      ...(status ? [{ name: "status", verbs: partVerbs, kind: own }] : []),
      ...(scale === undefined
        ? []
        : [{ name: "scale", verbs: partVerbs, kind: { group: "autoscaling", version: "v1", kind: "Scale" } }]),
    ],
    responseKind: own,
    storageVersionHash: storageHash(served),
  };
}

/** The group and version of a type such as `autoscaling/v1.Scale`; empty where they are those of the resource. */
function homeOf(type: string | undefined, kind: BuiltinKind): { readonly group: string; readonly version: string } {
  const [home = "", ownHome = ""] = [type, kind.type].map((name) => name?.split(".")[0]);
  if (home === ownHome) return { group: "", version: "" };
  const [group = "", version = ""] = home.split("/");
  return { group: homes[group] ?? group, version };
}

const homes: Readonly<Record<string, string>> = { authentication: "authentication.k8s.io", core: "" };

function targetOf(resources: Resources, { group, version, resource }: BuiltinKind): Target | undefined {
  const served = resources.find({ group, resource });
  const found = served?.definition.versions.find((each) => each.version === version && each.served);
  return served === undefined || found === undefined ? undefined : { ...served, version: found };
}

/** By this, clients learn that objects are kept in another form than before. */
function storageHash({ definition }: Served): string {
  const { group, version } = storageOf(definition);
  const digest = createHash("sha256").update(`${group}/${version}/${definition.kind}`).digest();
  return digest.subarray(0, 8).toString("base64");
}

const versionName = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Stable before beta before alpha, then the newer one; other names last. */
function preference(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  for (const [index, value] of left.entries()) {
    const difference = (right[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return byText(a, b);
}

function rank(name: string): readonly number[] {
  const match = versionName.exec(name);
  if (match === null) return [0, 0, 0];
  const [, major, stage, minor = "0"] = match;
  return [stage === "alpha" ? 1 : stage === "beta" ? 2 : 3, Number(major), Number(minor)];
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
