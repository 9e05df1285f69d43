import type { JsonSchema } from "#machinery";
import { jsonText } from "./shared-schemas.ts";

const longestSkeleton = 2_048;
const skeletons = new WeakMap<JsonSchema, { readonly text: string | undefined }>();

/**
 * What a schema says apart from the values of its defaults, which are checked by themselves: the variables of a class
 * often differ in nothing else. Undefined for a schema that says too much to be compared with others.
 */
export function skeletonOf(schema: JsonSchema): string | undefined {
  const known = skeletons.get(schema);
  if (known !== undefined) return known.text;
  const text = written(schema);
  skeletons.set(schema, { text });
  return text;
}

function written(schema: JsonSchema): string | undefined {
  let text = "";
  for (const [keyword, value] of Object.entries(schema)) {
    const said = saidBy(schema, keyword, value);
    if (said === undefined || text.length + said.length > longestSkeleton) return undefined;
    text += `${keyword}:${said};`;
  }
  return text;
}

function saidBy({ properties }: JsonSchema, keyword: string, value: unknown): string | undefined {
  if (keyword === "default") return "";
  return keyword === "properties" ? propertiesText(properties) : jsonText(value);
}

function propertiesText(properties: JsonSchema["properties"] = {}): string | undefined {
  let text = "";
  for (const [name, property] of Object.entries(properties)) {
    const said = skeletonOf(property);
    if (said === undefined || text.length + said.length > longestSkeleton) return undefined;
    text += `${JSON.stringify(name)}{${said}}`;
  }
  return text;
}
