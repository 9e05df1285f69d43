import { deepEqual } from "../equal.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { printGoSchema } from "../schema/structural/go-schema.ts";
import type {
  DefinitionSpec,
  DefinitionVersion,
  PrinterColumn,
  ScalePaths,
  SelectableField,
  Subresources,
} from "./definition.ts";

/** What versions may have each for itself or all in common. */
export interface VersionParts {
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly SelectableField[];
}

/**
 * The versions of a definition as Kubernetes checks them: parts that are equal in all versions stand once beside them,
 * which is why messages say `spec.validation` instead of `spec.versions[0].schema`.
 */
export interface InternalForm {
  readonly common: VersionParts;
  readonly versions: readonly DefinitionVersion[];
}

const partNames = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/** Brings the versions of a definition into the form they are checked in. */
export function internalForm({ versions }: DefinitionSpec): InternalForm {
  const [first] = versions;
  if (first === undefined) return { common: {}, versions };
  const shared = partNames.filter((name) => versions.every((version) => deepEqual(version[name], first[name])));
  return {
    common: pick(first, shared),
    versions: versions.map((version) => ({
      name: version.name,
      served: version.served,
      storage: version.storage,
      ...(version.deprecated === undefined ? {} : { deprecated: version.deprecated }),
      ...(version.deprecationWarning === undefined ? {} : { deprecationWarning: version.deprecationWarning }),
      ...pick(
        version,
        partNames.filter((name) => !shared.includes(name)),
      ),
    })),
  };
}

/** Versions as Go prints the structs they are held in. */
export function printGoVersions(versions: readonly DefinitionVersion[]): string {
  return `[${versions.map(printVersion).join(",")}]`;
}

function pick(version: DefinitionVersion, names: readonly (typeof partNames)[number][]): VersionParts {
  return Object.fromEntries(names.filter((name) => version[name] !== undefined).map((name) => [name, version[name]]));
}

function printVersion(version: DefinitionVersion): string {
  const { schema, subresources, additionalPrinterColumns: columns, selectableFields: fields } = version;
  const members = {
    Name: JSON.stringify(version.name),
    Served: String(version.served),
    Storage: String(version.storage),
    Deprecated: String(version.deprecated === true),
    DeprecationWarning: JSON.stringify(version.deprecationWarning ?? null),
    Schema: schema === undefined ? "null" : `{"OpenAPIV3Schema":${printSchema(schema.openAPIV3Schema)}}`,
    Subresources: subresources === undefined ? "null" : printSubresources(subresources),
    AdditionalPrinterColumns: columns === undefined ? "null" : `[${columns.map(printColumn).join(",")}]`,
    SelectableFields:
      fields === undefined ? "null" : JSON.stringify(fields.map(({ jsonPath }) => ({ JSONPath: jsonPath }))),
  };
  return `{${Object.entries(members)
    .map(([name, text]) => `"${name}":${text}`)
    .join(",")}}`;
}

function printSchema(schema: JsonSchema | undefined): string {
  return schema === undefined ? "null" : printGoSchema(schema);
}

function printSubresources({ status, scale }: Subresources): string {
  return JSON.stringify({ Status: status ?? null, Scale: scale === undefined ? null : scaleStruct(scale) });
}

function scaleStruct({ specReplicasPath, statusReplicasPath, labelSelectorPath }: ScalePaths): object {
  return {
    SpecReplicasPath: specReplicasPath,
    StatusReplicasPath: statusReplicasPath,
    LabelSelectorPath: labelSelectorPath ?? null,
  };
}

function printColumn({ name, type, format = "", description = "", priority = 0, jsonPath }: PrinterColumn): string {
  return JSON.stringify({
    Name: name,
    Type: type,
    Format: format,
    Description: description,
    Priority: priority,
    JSONPath: jsonPath,
  });
}
