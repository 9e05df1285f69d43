import type { DiscoveredResource } from "#machinery";
import type { ResourceDefinition, VersionDefinition } from "#apiserver/resources";
import type { Resources } from "./resources.ts";

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** Every resource in every served version. */
export function discoveredResources(resources: Resources): readonly DiscoveredResource[] {
  return [...resources.all()].flatMap(({ definition }) =>
    definition.versions
      .filter(({ served }) => served)
      .map((version, index) => discovered(definition, version, index === 0)),
  );
}

function discovered(
  definition: ResourceDefinition,
  version: VersionDefinition,
  preferred: boolean,
): DiscoveredResource {
  const { group, resource, kind, singular, namespaced, shortNames, categories } = definition;
  const { status, scale } = version.subresources;
  return {
    group,
    version: version.version,
    resource,
    kind,
    singular,
    namespaced,
    shortNames,
    categories,
    verbs,
    subresources: [...(status ? ["status"] : []), ...(scale === undefined ? [] : ["scale"])],
    preferred,
  };
}
