import { apiVersionOf, type DiscoveredResource, fieldAt, type GroupVersion, type Json } from "#machinery";
import { membersIn, textIn, textsIn } from "./discovery-fields.ts";

/** Gets the resource list of a group and version by its path; undefined where the server has none to give. */
export type ResourceListOf = (path: string) => Promise<Json | undefined>;

interface OfferedVersion extends GroupVersion {
  readonly preferred: boolean;
}

/** What `/api` and `/apis` answer without aggregation, followed list by list. */
export async function legacyResources(
  roots: { readonly core: Json | undefined; readonly groups: Json | undefined },
  listOf: ResourceListOf,
): Promise<readonly DiscoveredResource[]> {
  const versions = [...coreVersions(roots.core), ...groupVersions(roots.groups)];
  const lists = await Promise.all(versions.map((version) => listOf(listPath(version))));
  return versions.flatMap((version, index) => resourcesIn(lists[index], version));
}

function coreVersions(root: Json | undefined): readonly OfferedVersion[] {
  return textsIn(root, "versions").map((version, index) => ({ group: "", version, preferred: index === 0 }));
}

function groupVersions(root: Json | undefined): readonly OfferedVersion[] {
  return membersIn(root, "groups").flatMap((item) => {
    const preferred = textIn(item, "preferredVersion", "version");
    return membersIn(item, "versions").map((offered) => {
      const version = textIn(offered, "version");
      return { group: textIn(item, "name"), version, preferred: version === preferred };
    });
  });
}

function listPath(version: GroupVersion): string {
  return `${version.group === "" ? "/api" : "/apis"}/${apiVersionOf(version)}`;
}

/** Subresources stand in the list beside the resources, as `widgets/status`. */
function resourcesIn(list: Json | undefined, version: OfferedVersion): readonly DiscoveredResource[] {
  const entries = membersIn(list, "resources");
  const names = entries.map((entry) => textIn(entry, "name"));
  return entries.flatMap((entry) => {
    const resource = textIn(entry, "name");
    if (resource === "" || resource.includes("/")) return [];
    const parts = names.filter((name) => name.startsWith(`${resource}/`));
    return [
      {
        ...version,
        kind: textIn(entry, "kind"),
        resource,
        singular: textIn(entry, "singularName"),
        namespaced: fieldAt(entry, "namespaced") === true,
        verbs: textsIn(entry, "verbs"),
        shortNames: textsIn(entry, "shortNames"),
        categories: textsIn(entry, "categories"),
        subresources: parts.map((name) => name.slice(resource.length + 1)),
      },
    ];
  });
}
