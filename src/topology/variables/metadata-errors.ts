import {
  deepestSchema,
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
  const found: FieldError[] = [];
  visit(schema, path, 0);
  return found;

  function visit(part: unknown, at: FieldPath, depth: number): void {
    // What is nested deeper is refused for that alone.
    if (!isJsonObject(part) || depth > deepestSchema) return;
    for (const error of metadataErrors(member(part, "x-metadata"), at.child("x-metadata"))) found.push(error);
    visit(member(part, "additionalProperties"), at.child("additionalProperties"), depth + 1);
    const properties = member(part, "properties");
    if (isJsonObject(properties)) {
      for (const name of Object.keys(properties).toSorted()) {
        visit(member(properties, name), at.child("properties").key(name), depth + 1);
      }
    }
    visit(member(part, "items"), at.child("items"), depth + 1);
  }
}

/** Values that are no text are refused by the schema of ClusterClasses. */
function textsOf(labels: Json | undefined): Labels {
  if (!isJsonObject(labels)) return {};
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : [])),
  );
}
