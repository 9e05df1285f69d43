import type { JsonSchema } from "#machinery";

// Limits bound the memory that this takes.
const mostSchemas = 5_000;
const longestText = 1_024;
const schemas = new Map<string, JsonSchema>();

/** What makes two schemas the same; undefined for one that is not worth remembering. */
export function identityOf(source: unknown): string | undefined {
  const text = jsonText(source);
  return text !== undefined && text.length <= longestText ? text : undefined;
}

/** The schema that was read before for the same text: what is found out about it then holds for this one. */
export function sharedSchema(text: string | undefined): JsonSchema | undefined {
  return text === undefined ? undefined : schemas.get(text);
}

/** Remembers a schema that could be read whole. */
export function shareSchema(text: string | undefined, schema: JsonSchema): void {
  if (text === undefined) return;
  if (schemas.size >= mostSchemas) schemas.clear();
  schemas.set(text, schema);
}

/** A value as the platform writes it; undefined where it cannot. */
export function jsonText(source: unknown): string | undefined {
  try {
    return JSON.stringify(source);
  } catch {
    // What contains itself, is nested too deeply or has a large integer has no such text.
    return undefined;
  }
}
