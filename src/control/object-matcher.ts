import {
  badRequest,
  fieldAt,
  InvalidFieldSelectorError,
  InvalidLabelSelectorError,
  type KubeObject,
  parseFieldSelector,
  parseLabelSelector,
} from "#machinery";
import type { ReadListOptions } from "./reader.ts";

/** Tells whether an object is among those that are asked for. */
export type ObjectMatcher = (object: KubeObject) => boolean;

/** What selectors ask for; undefined where that is everything. A bad selector is refused as an API server does. */
export function matcherOf({
  labelSelector = "",
  fieldSelector = "",
}: Pick<ReadListOptions, "labelSelector" | "fieldSelector">): ObjectMatcher | undefined {
  const byLabels = labelSelector === "" ? undefined : labelMatcher(labelSelector);
  const byFields = fieldSelector === "" ? undefined : fieldMatcher(fieldSelector);
  if (byLabels === undefined || byFields === undefined) return byLabels ?? byFields;
  return (object) => byLabels(object) && byFields(object);
}

function labelMatcher(text: string): ObjectMatcher {
  const selector = refusing(InvalidLabelSelectorError, () => parseLabelSelector(text));
  return ({ metadata }) => selector.matches(metadata.labels);
}

/** Any field can be selected by here; a server knows only some. */
function fieldMatcher(text: string): ObjectMatcher {
  const { requirements } = refusing(InvalidFieldSelectorError, () => parseFieldSelector(text));
  const fields = requirements.map(({ field, kind, value }) => ({
    path: field.split("."),
    equal: kind === "equals",
    value,
  }));
  return (object) => fields.every(({ path, equal, value }) => (textAt(object, path) === value) === equal);
}

/** Texts as they are, other scalars as they print, nothing as nothing. */
function textAt(object: KubeObject, path: readonly string[]): string {
  const value = fieldAt(object, ...path);
  return typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
}

function refusing<T>(type: abstract new (...parameters: never[]) => Error, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof type)) throw error;
    throw badRequest(error.message);
  }
}
