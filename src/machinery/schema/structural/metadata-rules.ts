import { type FieldError, forbidden, invalid, required } from "../../field-error.ts";
import type { FieldPath } from "../../field-path.ts";
import type { JsonSchema } from "../json-schema.ts";

// A schema of metadata may have these; examples and documentation are not looked at.
const harmless: ReadonlySet<string> = new Set(["type", "default", "properties", "example", "externalDocs"]);

/** Restrictions on the fields that every resource has: their types, and metadata that says nothing but names. */
export function metadataInvariants(schema: JsonSchema, level: string, path: FieldPath): readonly FieldError[] {
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const isResource = level === "root" || embedded;
  if (!isResource) return [];
  const properties = schema.properties ?? {};
  const at = path.child("properties");
  const errors: FieldError[] = [];
  for (const name of ["kind", "apiVersion"]) {
    const type = propertyOf(properties, name)?.type ?? "";
    if (Object.hasOwn(properties, name) && type !== "string") {
      errors.push(invalid(at.key(name).child("type"), type, "must be string"));
    }
  }
  const metadata = propertyOf(properties, "metadata");
  if (metadata !== undefined && metadata.type !== "object") {
    errors.push(invalid(at.key("metadata").child("type"), metadata.type ?? "", "must be object"));
  }
  if (metadata !== undefined && level === "root" && !restrictsNamesOnly(metadata)) {
    const why = "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(forbidden(at.key("metadata"), why));
  }
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (embedded && !preserves && Object.keys(properties).length === 0) {
    const why =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(required(path.child("properties"), why));
  }
  return errors;
}

function propertyOf(properties: { readonly [name: string]: JsonSchema }, name: string): JsonSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function restrictsNamesOnly(metadata: JsonSchema): boolean {
  const names = Object.keys(metadata.properties ?? {});
  if (!names.every((name) => name === "name" || name === "generateName")) return false;
  return Object.entries(metadata).every(([name, value]) => harmless.has(name) || value === "" || value === false);
}
