import type { CustomResourceDefinition, DefinitionVersion } from "../crd/definition.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { KindDeclaration, OlderVersion, VersionDeclaration } from "./declaration.ts";

/** The definition of a declared kind: older versions first, the stored one last. */
export function definitionOf(
  declaration: KindDeclaration,
  schemaOf: (version: VersionDeclaration) => JsonSchema,
): CustomResourceDefinition {
  const { group, version, kind, plural, scope = "Namespaced", shortNames, categories, labels } = declaration;
  const older = (declaration.olderVersions ?? []).map((each) => olderVersionOf(each, schemaOf(each)));
  const stored = { name: version, served: true, storage: true, ...versionOf(declaration, schemaOf(declaration)) };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...(labels === undefined ? {} : { labels }) },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames === undefined ? {} : { shortNames }),
        ...(categories === undefined ? {} : { categories }),
      },
      scope,
      versions: [...older, stored],
    },
  };
}

function olderVersionOf(declaration: OlderVersion, schema: JsonSchema): DefinitionVersion {
  const { version, served, deprecationWarning } = declaration;
  return {
    name: version,
    served,
    storage: false,
    deprecated: true,
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    ...versionOf(declaration, schema),
  };
}

function versionOf({ columns, hasStatus = false, scale }: VersionDeclaration, openAPIV3Schema: JsonSchema) {
  return {
    ...(columns === undefined ? {} : { additionalPrinterColumns: columns }),
    schema: { openAPIV3Schema },
    subresources: { ...(hasStatus ? { status: {} } : {}), ...(scale === undefined ? {} : { scale }) },
  };
}
