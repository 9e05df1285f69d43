import { asJson, type CompiledSchema, compileSchema, type Json, type KubeObject, subdomainName } from "#machinery";
import type { ObjectSchema, ResourceBehaviour, ResourceDefinition, VersionDefinition } from "#apiserver/resources";
import type { CustomResourceDefinition, CustomResourceVersion } from "./crd.ts";
import { scaleProblems } from "./scale-problems.ts";
import { compareVersionNames } from "./version-order.ts";

/** A custom resource, as its definition describes it. */
export function customResource(crd: CustomResourceDefinition): ResourceDefinition {
  const { group, scope, versions, names } = crd.spec;
  const { plural, kind, singular, listKind, shortNames = [], categories = [] } = names;
  return {
    group,
    resource: plural,
    kind,
    singular: singular ?? kind.toLowerCase(),
    listKind: listKind ?? `${kind}List`,
    shortNames,
    categories,
    namespaced: scope === "Namespaced",
    versions: versions
      .toSorted((a, b) => compareVersionNames(a.name, b.name))
      .map((version) => customVersion(crd, version)),
    storageVersion: versions.find((version) => version.storage)?.name ?? "",
    conversion: { kind: "none" },
    behaviour,
  };
}

const behaviour: ResourceBehaviour = {
  nameProblems: (name, prefix) => (prefix ? subdomainName.generateName(name) : subdomainName.name(name)),
  qualifiedFinalizers: false,
  strategicPatches: false,
  unconditionalUpdate: false,
  createOnUpdate: false,
  countsGenerations: true,
  statusWritesMetadata: false,
};

function customVersion(crd: CustomResourceDefinition, version: CustomResourceVersion): VersionDefinition {
  const { status, scale } = version.subresources ?? {};
  const structure = version.schema?.openAPIV3Schema ?? { type: "object" };
  return {
    version: version.name,
    served: version.served,
    schema: customSchema(structure, version),
    structure,
    subresources: { status: status !== undefined, ...(scale === undefined ? {} : { scale }) },
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, "")),
    printerColumns: version.additionalPrinterColumns ?? [],
    ...(version.deprecated === true ? { deprecationWarning: deprecationOf(crd, version) } : {}),
  };
}

function deprecationOf(
  { spec }: CustomResourceDefinition,
  { name, deprecationWarning }: CustomResourceVersion,
): string {
  return deprecationWarning ?? `${spec.group}/${name} ${spec.names.kind} is deprecated`;
}

/** Schemas are compiled when the first object comes: most definitions of a large set are never used. */
function customSchema(
  structure: VersionDefinition["structure"],
  { subresources }: CustomResourceVersion,
): ObjectSchema {
  let compiled: CompiledSchema | undefined;
  const schema = () => (compiled ??= compileSchema(structure));
  const scale = subresources?.scale;
  return {
    prune(object, onUnknown) {
      const json = asJson(object);
      const pruned = schema().prune(json);
      if (pruned === json) return object;
      if (onUnknown !== undefined) for (const path of schema().unknownFields(json)) onUnknown(path);
      return asObject(pruned);
    },
    applyDefaults(object) {
      const json = asJson(object);
      const defaulted = schema().applyDefaults(json);
      return defaulted === json ? object : asObject(defaulted);
    },
    validate(object, old) {
      const json = asJson(object);
      const problems = old === undefined ? schema().validate(json) : schema().validateUpdate(json, asJson(old));
      return scale === undefined ? problems : [...problems, ...scaleProblems(object, scale)];
    },
  };
}

function asObject(json: Json): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pruning and defaulting keep apiVersion, kind and metadata
  return json as unknown as KubeObject;
}
