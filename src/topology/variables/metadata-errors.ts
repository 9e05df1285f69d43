import {
  type FieldError,
  type FieldPath,
  isJsonObject,
  type Json,
  type Labels,
  member,
  validateAnnotations,
  validateLabels,
} from "#machinery";

/** What is wrong with the labels and annotations of a variable or of a part of its schema. */
export function metadataErrors(metadata: unknown, path: FieldPath): readonly FieldError[] {
  if (!isJsonObject(metadata)) return [];
  return [
    ...validateLabels(textsOf(member(metadata, "labels")), path.child("labels")),
    ...validateAnnotations(textsOf(member(metadata, "annotations")), path.child("annotations")),
  ];
}

/** The same for a schema and the parts that describe values; those in combinations are not looked at. */
export function schemaMetadataErrors(schema: unknown, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  collect(schema, path, errors);
  return errors;
}

function collect(schema: unknown, path: FieldPath, errors: FieldError[]): void {
  if (!isJsonObject(schema)) return;
  errors.push(...metadataErrors(member(schema, "x-metadata"), path.child("x-metadata")));
  collect(member(schema, "additionalProperties"), path.child("additionalProperties"), errors);
  const properties = member(schema, "properties");
  if (isJsonObject(properties)) {
    for (const name of Object.keys(properties).toSorted()) {
      collect(member(properties, name), path.child("properties").key(name), errors);
    }
  }
  collect(member(schema, "items"), path.child("items"), errors);
}

/** Values that are no text are refused by the schema of ClusterClasses. */
function textsOf(labels: Json | undefined): Labels {
  if (!isJsonObject(labels)) return {};
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : [])),
  );
}
