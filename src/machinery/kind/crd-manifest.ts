import type { KubeObject } from "../object.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { KindDeclaration, OlderVersion, PrinterColumn, ScalePaths, VersionDeclaration } from "./declaration.ts";

/** A CustomResourceDefinition as it is sent to a server. */
export interface CrdManifest extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: CrdNames;
    readonly scope: "Namespaced" | "Cluster";
    readonly versions: readonly CrdVersion[];
  };
}

interface CrdNames {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
  readonly subresources: { readonly status?: object; readonly scale?: ScalePaths };
}

/** The definition of a declared kind: older versions first, the stored one last. */
export function crdOf(
  declaration: KindDeclaration,
  schemaOf: (version: VersionDeclaration) => JsonSchema,
): CrdManifest {
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

function olderVersionOf(declaration: OlderVersion, schema: JsonSchema): CrdVersion {
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
