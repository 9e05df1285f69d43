import { fieldAt, isJsonObject, type Json, type JsonObject } from "#machinery";
import type { GoField } from "./go-structs.ts";
import type { ProtoField } from "./proto-messages.ts";

/** All that the three sources say: Go's structs, protobuf's messages and the OpenAPI schemas, each by its own full names. */
export interface Sources {
  readonly structs: ReadonlyMap<string, ReadonlyMap<string, readonly GoField[]>>;
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
  readonly schemas: ReadonlyMap<string, JsonObject>;
}

// Messages that are not objects in JSON, by the name that the table gives them.
const special: Readonly<Record<string, string>> = {
  "k8s.io.apimachinery.pkg.apis.meta.v1.Time": "time",
  "k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime": "microTime",
  "k8s.io.apimachinery.pkg.apis.meta.v1.Duration": "duration",
  "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": "fieldsV1",
  "k8s.io.apimachinery.pkg.apis.meta.v1.Verbs": "strings",
  "k8s.io.apimachinery.pkg.api.resource.Quantity": "quantity",
  "k8s.io.apimachinery.pkg.util.intstr.IntOrString": "intOrString",
  "k8s.io.apimachinery.pkg.runtime.RawExtension": "rawExtension",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSON": "json",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray": "schemaOrArray",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": "schemaOrBool",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": "schemaOrStrings",
};
const structLike = new Set(["time", "microTime", "duration", "quantity", "intOrString", "rawExtension"]);

/** The table of every type that can be reached from some messages: by package (`core/v1`), then by name. */
export function deriveTypes(roots: readonly string[], sources: Sources): Map<string, Map<string, JsonObject>> {
  const packages = new Map<string, Map<string, JsonObject>>();
  const seen = new Set<string>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name) || specialName(name) !== undefined) continue;
    seen.add(name);
    const home = packageOf(name);
    const types = packages.get(home) ?? new Map<string, JsonObject>();
    packages.set(home, types.set(simpleName(name), describeType(name, sources)));
    const inlined = messageOf(name, sources).flatMap(({ type }) => (sources.messages.has(type) ? [type] : []));
    open.push(...inlined);
  }
  return packages;
}

/** `core/v1` of `k8s.io.api.core.v1.Pod`. */
export function packageOf(message: string): string {
  return message.split(".").slice(-3, -1).join("/");
}

/** The name that OpenAPI gives to a message, and the other way round. */
export function schemaNameOf(message: string): string {
  return message.replace(/^k8s\.io\./, "io.k8s.").replace(/^(io\.k8s\.\w+)_/, "$1-");
}

export function messageNameOf(schema: string): string {
  return schema.replace(/^io\.k8s\.([\w-]+)\./, (_, module: string) => `k8s.io.${module.replaceAll("-", "_")}.`);
}

function describeType(name: string, sources: Sources): JsonObject {
  const schema = sources.schemas.get(schemaNameOf(name)) ?? {};
  const fields: Record<string, Json> = {};
  for (const { goField, protoField, via } of wireFields(name, sources)) {
    fields[goField.jsonName] = describeField(name, { goField, protoField, via, schema });
  }
  const atomic = schema["x-kubernetes-map-type"] === "atomic" ? { atomic: true } : {};
  // apiVersion and kind are not in protobuf messages; what has them in JSON can stand alone.
  const names = fieldAt(schema, "properties");
  const typed = isJsonObject(names) && "apiVersion" in names && !("apiVersion" in fields) ? { typed: true } : {};
  return { ...atomic, ...typed, fields };
}

interface WireField {
  readonly goField: GoField;
  readonly protoField: ProtoField;
  /** The numbers of the fields that wrap this one in protobuf, outermost first, where JSON inlines it. */
  readonly via: readonly number[];
}

function wireFields(name: string, sources: Sources): readonly WireField[] {
  const structs = sources.structs.get(name.slice(0, name.lastIndexOf(".")));
  const declared = structs?.get(simpleName(name));
  return messageOf(name, sources).flatMap((protoField): readonly WireField[] => {
    const goField = declared?.find((each) => each.number === protoField.number);
    if (goField === undefined) throw new Error(`no Go field for ${name}.${protoField.name} = ${protoField.number}`);
    if (!goField.inline) return [{ goField, protoField, via: [] }];
    return wireFields(protoField.type, sources).map((inner) => ({ ...inner, via: [protoField.number, ...inner.via] }));
  });
}

function describeField(owner: string, field: WireField & { readonly schema: JsonObject }): JsonObject {
  const { goField, protoField, via, schema } = field;
  const property = fieldAt(schema, "properties", goField.jsonName);
  const described = isJsonObject(property) ? property : {};
  const requiredFields = schema["required"];
  return {
    number: protoField.number,
    ...(via.length === 0 ? {} : { via }),
    type: typeText(owner, field),
    ...(isAlways(field) ? { always: true } : {}),
    ...(Array.isArray(requiredFields) && requiredFields.includes(goField.jsonName) ? { required: true } : {}),
    ...extras(described),
  };
}

function typeText(owner: string, { goField, protoField: { type, shape } }: WireField): string {
  const short = packageOf(type) === packageOf(owner) ? simpleName(type) : `${packageOf(type)}.${simpleName(type)}`;
  const name = specialName(type) ?? (type.includes(".") ? short : type);
  if (shape === "list") return `[]${name}`;
  if (shape === "map") return `map[string]${name}`;
  return goField.pointer ? `*${name}` : name;
}

/** True where Go writes the field even when it holds nothing; `omitempty` never leaves out a struct. */
function isAlways({ goField, protoField: { type, shape } }: WireField): boolean {
  if (goField.omitZero) return false;
  if (!goField.omitEmpty) return true;
  const struct = type.includes(".") && (specialName(type) === undefined || structLike.has(specialName(type) ?? ""));
  return struct && shape === "single" && !goField.pointer;
}

function extras(property: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  const { enum: values, default: fallback } = property;
  if (values !== undefined) kept["enum"] = values;
  if (fallback !== undefined && !["", 0, false].some((zero) => zero === fallback) && !isJsonObject(fallback)) {
    kept["default"] = fallback;
  }
  const names = {
    "x-kubernetes-list-type": "listType",
    "x-kubernetes-list-map-keys": "listKeys",
    "x-kubernetes-map-type": "mapType",
    "x-kubernetes-patch-strategy": "patchStrategy",
    "x-kubernetes-patch-merge-key": "patchKey",
  };
  for (const [from, to] of Object.entries(names)) {
    const value = property[from];
    if (value !== undefined) kept[to] = value;
  }
  return kept;
}

function specialName(message: string): string | undefined {
  return special[message] ?? (message.endsWith(".ExtraValue") ? "strings" : undefined);
}

function messageOf(name: string, { messages }: Sources): readonly ProtoField[] {
  const message = messages.get(name);
  if (message === undefined) throw new Error(`no message ${name}`);
  return message;
}

function simpleName(message: string): string {
  return message.slice(message.lastIndexOf(".") + 1);
}
