import type { CataloguedGroup, CataloguedResource, CataloguedVersion } from "./catalogue.ts";

/** What `/apis` answered before there was a form that holds everything. */
export function groupList(groups: readonly CataloguedGroup[]): object {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.filter(({ group }) => group !== "").map(groupOf) };
}

/** What `/apis/<group>` answers. */
export function singleGroup(group: CataloguedGroup): object {
  return { kind: "APIGroup", apiVersion: "v1", ...groupOf(group) };
}

/** What `/api/v1` and `/apis/<group>/<version>` answer. */
export function resourceList(group: string, { version, resources }: CataloguedVersion): object {
  const apiVersion = group === "" ? {} : { apiVersion: "v1" };
  return {
    kind: "APIResourceList",
    ...apiVersion,
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: resources.flatMap(entriesOf),
  };
}

/** What `/api` answers. */
export function coreVersions(address: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

function groupOf({ group, versions }: CataloguedGroup) {
  const all = versions.map(({ version }) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: all, preferredVersion: all[0] };
}

function entriesOf(resource: CataloguedResource): readonly object[] {
  const { namespaced, kind, verbs, shortNames, categories, storageVersionHash } = resource;
  const itself = {
    name: resource.resource,
    singularName: resource.singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(storageVersionHash === "" ? {} : { storageVersionHash }),
  };
  const parts = resource.subresources.map((part) => ({
    name: `${resource.resource}/${part.name}`,
    singularName: "",
    namespaced,
    ...(part.kind.version === "" || part.kind.kind === kind
      ? {}
      : { group: part.kind.group, version: part.kind.version }),
    kind: part.kind.kind,
    verbs: part.verbs,
  }));
  return [itself, ...parts];
}
