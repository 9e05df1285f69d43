import { type BuiltinKind, builtinKinds } from "#apiserver/builtin";
import { type CataloguedGroup, isBuiltinGroup } from "#apiserver/discovery";
import type { Json, JsonObject } from "#machinery";
import type { Resources } from "#apiserver/registry";
import { builtinSchemas } from "./builtin-schemas.ts";
import { customSchema, type Dialect } from "./custom-schema.ts";
import { type DescribedResource, type PathItem, pathsOf } from "./operations.ts";
import { builtinSchemaName, customSchemaName, metaNames } from "./schema-names.ts";

/** Paths and schemas of one version of one group. */
export interface Description {
  readonly paths: readonly PathItem[];
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

const metaTypes = ["meta/v1.ObjectMeta", "meta/v1.ListMeta", "meta/v1.DeleteOptions", "meta/v1.Status"];

/** Describes a version of a group, in the words of a version of OpenAPI. */
export function describe(
  resources: Resources,
  { group }: CataloguedGroup,
  { version, resources: catalogued }: CataloguedGroup["versions"][number],
  dialect: Dialect,
): Description {
  const paths: PathItem[] = [];
  const own: Record<string, JsonObject> = {};
  const types = new Set(metaTypes);
  for (const resource of catalogued) {
    const builtin = isBuiltinGroup(group) ? builtinOf(group, version, resource.resource) : undefined;
    const schema =
      builtin === undefined ? customSchemaName(group, version, resource.kind) : builtinSchemaName(builtin.type);
    const described: DescribedResource = {
      group,
      version,
      resource,
      schema,
      listSchema: resource.verbs.includes("list") ? `${schema}List` : schema,
      partSchema: (name) => partSchema(name, schema, builtin),
      strategicPatches: builtin !== undefined,
    };
    paths.push(...pathsOf(described));
    for (const { type } of builtin?.subresources ?? []) if (type !== undefined) types.add(type);
    if (resource.subresources.some(({ name }) => name === "scale")) types.add("autoscaling/v1.Scale");
    const kind = { group, version, kind: resource.kind };
    if (builtin !== undefined) types.add(builtin.type);
    else own[schema] = named(customSchema(structureOf(resources, group, version, resource.resource), dialect), kind);
    if (described.listSchema !== schema) own[described.listSchema] = listSchema(schema, kind, dialect);
  }
  const schemas = { ...builtinSchemas(types, dialect.ref), ...own, [metaNames.patch]: { type: "object" } };
  for (const kind of builtinKinds()) {
    const name = builtinSchemaName(kind.type);
    const schema = schemas[name];
    if (schema !== undefined) schemas[name] = named(schema, kind);
  }
  return { paths, schemas };
}

function partSchema(name: string, schema: string, builtin: BuiltinKind | undefined): string {
  if (name === "scale") return builtinSchemaName("autoscaling/v1.Scale");
  const type = builtin?.subresources?.find((part) => part.name === name)?.type;
  return type === undefined ? schema : builtinSchemaName(type);
}

function builtinOf(group: string, version: string, resource: string): BuiltinKind | undefined {
  return builtinKinds().find((kind) => kind.group === group && kind.version === version && kind.resource === resource);
}

function structureOf(resources: Resources, group: string, version: string, resource: string): JsonObject {
  const definition = resources.find({ group, resource })?.definition;
  const structure = definition?.versions.find((each) => each.version === version)?.structure ?? { type: "object" };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema that came through the API holds nothing but JSON
  return structure as unknown as JsonObject;
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Says which kind a schema is of: clients find schemas by it. */
function named(schema: JsonObject, { group, version, kind }: Kind): JsonObject {
  const present = schema["x-kubernetes-group-version-kind"];
  const others: readonly Json[] = Array.isArray(present) ? present : [];
  return { ...schema, "x-kubernetes-group-version-kind": [...others, { group, kind, version }] };
}

function listSchema(schema: string, { group, version, kind }: Kind, { ref }: Dialect): JsonObject {
  const list: JsonObject = {
    description: `${kind}List is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { $ref: ref(metaNames.listMeta) },
      items: { type: "array", items: { $ref: ref(schema) } },
    },
  };
  return named(list, { group, version, kind: `${kind}List` });
}
