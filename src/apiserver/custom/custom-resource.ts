import {
  asJson,
  type CompiledSchema,
  compareVersions,
  compileSchema,
  type CustomResourceDefinition,
  type DefinitionVersion,
  FieldPath,
  type FieldError,
  type Json,
  type JsonObject,
  type KubeObject,
  scaleSpecErrors,
  scaleStatusErrors,
  storageVersion,
  subdomainName,
} from "#machinery";
import type { ObjectSchema, ResourceBehaviour, ResourceDefinition, VersionDefinition } from "#apiserver/resources";
import { type RuleChecks, ruleChecks } from "./rule-checks.ts";
import { SoundParts } from "./sound-parts.ts";
import { type ConversionParts, conversionOf } from "./webhook-conversion.ts";

export interface CustomResourceOptions extends ConversionParts {
  /** True while the definition is being deleted, with all that it defines. */
  readonly isTerminating: () => boolean;
}

/** A custom resource, as its definition describes it. */
export function customResource(crd: CustomResourceDefinition, options: CustomResourceOptions): ResourceDefinition {
  const { group, scope, versions, names } = crd.spec;
  // What was asked for later may not have been granted.
  const { plural, kind, singular, listKind, shortNames = [], categories = [] } = crd.status?.acceptedNames ?? names;
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
      .toSorted((a, b) => compareVersions(a.name, b.name))
      .map((version) => customVersion(crd, version)),
    storageVersion: storageVersion(crd.spec) ?? "",
    since: Number(crd.metadata.resourceVersion),
    conversion: conversionOf(crd.spec.conversion ?? { strategy: "None" }, options),
    behaviour: {
      ...behaviour,
      refusesCreates: () =>
        options.isTerminating() ? "create not allowed while custom resource definition is terminating" : undefined,
    },
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

function customVersion(crd: CustomResourceDefinition, version: DefinitionVersion): VersionDefinition {
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

/** Names the newest version to go to, if there is a newer one. */
function deprecationOf({ spec }: CustomResourceDefinition, { name, deprecationWarning }: DefinitionVersion): string {
  if (deprecationWarning !== undefined) return deprecationWarning;
  const { group, names, versions } = spec;
  const [better] = versions
    .filter((each) => each.served && each.deprecated !== true && compareVersions(each.name, name) < 0)
    .toSorted((a, b) => compareVersions(a.name, b.name));
  const instead = better === undefined ? "" : `; use ${group}/${better.name} ${names.kind}`;
  return `${group}/${name} ${names.kind} is deprecated${instead}`;
}

/** Schemas are compiled when the first object comes: most definitions of a large set are never used. */
function customSchema(structure: VersionDefinition["structure"], { subresources }: DefinitionVersion): ObjectSchema {
  let compiled: CompiledSchema | undefined;
  let rules: RuleChecks | undefined;
  const schema = () => (compiled ??= compileSchema(structure));
  const withRules: RuleChecks = (object, old, problems) => (rules ??= ruleChecks(structure))(object, old, problems);
  const scale = subresources?.scale;
  const sound = new SoundParts();
  const asksForChanges = JSON.stringify(structure).includes("oldSelf");
  return {
    prune(object, { onUnknown, older } = {}) {
      const json = asJson(object);
      const pruned = schema().prune(json, sound.whole(older));
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
      const before = old && asJson(old);
      // What is wrong with a part that stays as it is, is let be, unless a rule is about the change itself.
      if (before !== undefined && !asksForChanges && differsInMetadataAlone(json, before)) return [];
      const found = problemsOf(json, before);
      const scaled =
        scale === undefined ? found : [...found, ...scaleSpecErrors(json, scale), ...scaleStatusErrors(json, scale)];
      return withRules(json, before, scaled);
    },
    validateStatus(object, old) {
      const json = asJson(object);
      const problems = statusProblems(json["status"], asJson(old)["status"]);
      const scaled = scale === undefined ? problems : [...problems, ...scaleStatusErrors(json, scale)];
      return withRules(json, asJson(old), scaled);
    },
  };

  function problemsOf(object: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
    const accepted = schema().accepts(object, sound.whole(old));
    for (const name in object) sound.note(name, object[name], { accepted });
    if (accepted) return [];
    return old === undefined ? schema().validate(object) : schema().validateUpdate(object, old);
  }

  function statusProblems(status: Json | undefined, old: Json | undefined): readonly FieldError[] {
    const part = status === undefined ? undefined : schema().property("status");
    if (status === undefined || part === undefined) return [];
    const accepted = part.accepts(status, sound.part("status", old));
    sound.note("status", status, { accepted });
    if (accepted) return [];
    const at = FieldPath.of("status");
    return old === undefined ? part.validate(status, at) : part.validateUpdate(status, old, at);
  }
}

/** True where all parts but metadata are the very same, which they are when nobody changed them. */
function differsInMetadataAlone(object: JsonObject, old: JsonObject): boolean {
  const names = Object.keys(object);
  return (
    names.length === Object.keys(old).length && names.every((name) => name === "metadata" || object[name] === old[name])
  );
}

function asObject(json: Json): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pruning and defaulting keep apiVersion, kind and metadata
  return json as unknown as KubeObject;
}
