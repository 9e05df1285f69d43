import type { Timestamp } from "#base";
import {
  ApiError,
  applyConfiguration,
  applyJsonPatch,
  applyMergePatch,
  applyUpdate,
  asJson,
  isJsonObject,
  isUnchanged,
  type Json,
  type JsonObject,
  type JsonSchema,
  type KubeObject,
  objectTypeOf,
  resetFields,
  type Versions,
} from "#machinery";
import { widgetApiVersions, widgetSchema } from "./widget.ts";
import type { Subresource, Write } from "./write.ts";

const type = objectTypeOf(widgetSchema);

const versions: Versions = {
  typeOf: (apiVersion) => (widgetApiVersions.some((known) => known === apiVersion) ? type : undefined),
  convert: (object, apiVersion) => ({ ...object, apiVersion }),
};

/** What the model makes of a write: the object that is stored from then on, or a refusal. */
export type Outcome =
  | { readonly kind: "stored"; readonly object: KubeObject }
  | { readonly kind: "refused"; readonly error: ApiError };

/** As much of a registry as ownership needs: defaults of ports, subresources, and writes that change nothing. */
export function model(before: KubeObject | undefined, write: Write, now: Timestamp): Outcome {
  const live = before === undefined ? undefined : { ...before, apiVersion: write.apiVersion };
  try {
    const next = written(live, write, now);
    return { kind: "stored", object: live !== undefined && isUnchanged(live, next) ? live : next };
  } catch (error) {
    if (error instanceof ApiError) return { kind: "refused", error };
    throw error;
  }
}

function written(live: KubeObject | undefined, write: Write, now: Timestamp): KubeObject {
  const { manager, apiVersion, subresource } = write;
  const reset = resetFields({ subresource, hasStatus: true });
  const common = { live, manager, apiVersion, kind: "Widget", subresource, now, type, reset, versions };
  if (write.kind === "apply") {
    const result = applyConfiguration({ ...common, configuration: write.body, force: write.force });
    if (result.kind === "conflicts") throw result.error;
    const merged = stored(live, result.object, subresource);
    assertNoNulls(asJson(merged));
    return defaulted(merged);
  }
  const next = defaulted(requested(live, write));
  const managedFields = applyUpdate({ ...common, next });
  const { managedFields: _, ...metadata } = next.metadata;
  const owned = { ...next, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } };
  return stored(live, owned, subresource);
}

/** The object that a client asks to have stored. */
function requested(live: KubeObject | undefined, write: Write): KubeObject {
  const before = live === undefined ? {} : asJson(live);
  switch (write.kind) {
    case "create":
    case "update":
    case "apply":
      return write.body;
    case "merge-patch":
      return asObject(applyMergePatch(before, write.patch, { dialect: "kubernetes" }));
    case "json-patch":
      return asObject(applyJsonPatch(before, write.patch, { dialect: "kubernetes" }));
  }
}

/** Each endpoint stores its own part of an object and keeps the rest. */
function stored(live: KubeObject | undefined, next: KubeObject, subresource: Subresource): KubeObject {
  if (subresource === "status" && live !== undefined) {
    const { managedFields: _, ...metadata } = live.metadata;
    const { managedFields } = next.metadata;
    const { status: _status, ...rest } = live;
    return {
      ...rest,
      metadata: managedFields === undefined ? metadata : { ...metadata, managedFields },
      ...("status" in next ? { status: next["status"] } : {}),
    };
  }
  const { status: _, ...rest } = next;
  const uid = { uid: "some" };
  const object = { ...rest, metadata: { ...rest.metadata, ...uid } };
  return live !== undefined && "status" in live ? { ...object, status: live["status"] } : object;
}

/** What the server does to every object it reads: empty metadata and nulls nobody may write go, defaults come. */
function defaulted(object: KubeObject): KubeObject {
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([, value]) => !isEmpty(value)));
  const { spec, status } = withoutNulls(asJson(object), widgetSchema);
  return {
    ...object,
    metadata,
    ...(spec === undefined ? {} : { spec: isJsonObject(spec) ? withPortDefaults(spec) : spec }),
    ...(status === undefined ? {} : { status }),
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

function withPortDefaults(spec: JsonObject): JsonObject {
  if (!Array.isArray(spec["ports"])) return spec;
  const ports = spec["ports"].map((port: Json) =>
    isJsonObject(port) && !Object.hasOwn(port, "protocol") ? { ...port, protocol: "TCP" } : port,
  );
  return { ...spec, ports };
}

/** An object without the nulls of fields that may not be null. */
function withoutNulls(object: JsonObject, schema: JsonSchema): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(object)) {
    const property = schema.properties?.[name] ?? additional(schema);
    if (value === null && property !== undefined && property.nullable !== true) continue;
    kept[name] = withoutNullsIn(value, property);
  }
  return kept;
}

/** An applied object is not read again before it is validated, so a null that may not be is found out. */
function assertNoNulls(object: JsonObject): void {
  const { spec, status } = object;
  const checked = { ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
  if (hasTypedNull(checked, widgetSchema)) throw new ApiError({ httpCode: 422, reason: "Invalid", message: "null" });
}

function hasTypedNull(value: Json, schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  if (value === null) return schema.nullable !== true && schema.type !== undefined;
  if (isJsonObject(value)) {
    return Object.entries(value).some(([name, member]) =>
      hasTypedNull(member, schema.properties?.[name] ?? additional(schema)),
    );
  }
  const { items } = schema;
  return Array.isArray(value) && isSchema(items) && value.some((item: Json) => hasTypedNull(item, items));
}

function withoutNullsIn(value: Json, schema: JsonSchema | undefined): Json {
  if (schema === undefined) return value;
  if (isJsonObject(value)) return withoutNulls(value, schema);
  const { items } = schema;
  if (!Array.isArray(value) || !isSchema(items)) return value;
  return value.map((item: Json) => withoutNullsIn(item, items));
}

function additional(schema: JsonSchema): JsonSchema | undefined {
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

function isSchema(items: JsonSchema["items"]): items is JsonSchema {
  return items !== undefined && !Array.isArray(items);
}

function asObject(object: Json): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- patches of this tool leave kind and metadata in place
  return object as unknown as KubeObject;
}
