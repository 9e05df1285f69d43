import type { CataloguedGroup, CataloguedResource } from "./catalogue.ts";

/** Everything of some groups in one answer, in one version of `apidiscovery.k8s.io`. */
export function aggregated(groups: readonly CataloguedGroup[], version: "v2" | "v2beta1"): object {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versions.map((each) => ({
        version: each.version,
        resources: each.resources.map(resourceOf),
        freshness: "Current",
      })),
    })),
  };
}

function resourceOf(resource: CataloguedResource): object {
  const { responseKind, namespaced, singular, verbs, shortNames, categories, subresources } = resource;
  return {
    resource: resource.resource,
    responseKind,
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map(({ name, kind, verbs: partVerbs }) => ({
            subresource: name,
            responseKind: kind,
            verbs: partVerbs,
          })),
        }),
  };
}
