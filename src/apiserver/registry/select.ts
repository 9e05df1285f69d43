import {
  type ApiError,
  badRequest,
  fieldAt,
  type FieldSelector,
  InvalidFieldSelectorError,
  InvalidLabelSelectorError,
  type KubeObject,
  type ListOptions,
  parseFieldSelector,
  parseLabelSelector,
  requiredValue,
} from "#machinery";
import type { ObjectFilter } from "#apiserver/watch";
import type { Target } from "./resources.ts";

type Matcher = (object: KubeObject) => boolean;

/** Which objects the options of a list or watch ask for. */
export function filterOf(target: Target, options: ListOptions): ObjectFilter {
  const fields = readSelector(parseFieldSelector, options.fieldSelector);
  const labels = readSelector(parseLabelSelector, options.labelSelector);
  const name = fields && requiredValue(fields, "metadata.name");
  const namespace = options.namespace || (fields && requiredValue(fields, "metadata.namespace"));
  const byLabels: Matcher | undefined =
    labels && labels.requirements.length > 0 ? ({ metadata }) => labels.matches(metadata.labels ?? {}) : undefined;
  const byFields = fields && fieldMatcher(target, fields);
  const matches = both(byLabels, byFields);
  return {
    ...(namespace === undefined || namespace === "" ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(matches === undefined ? {} : { matches }),
  };
}

function both(a: Matcher | undefined, b: Matcher | undefined): Matcher | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return (object) => a(object) && b(object);
}

function readSelector<T>(parse: (text: string) => T, text: string | undefined): T | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof InvalidLabelSelectorError || error instanceof InvalidFieldSelectorError)) throw error;
    throw badRequest(error.message);
  }
}

function fieldMatcher(target: Target, { requirements, matches }: FieldSelector): Matcher {
  const names = [...new Set(requirements.map(({ field }) => field))];
  const { selectableFields } = target.version;
  for (const name of names) {
    const known = name === "metadata.name" || name === "metadata.namespace" || selectableFields.includes(name);
    if (!known) throw unknownField(target, name);
  }
  return (object) => matches(Object.fromEntries(names.map((name) => [name, valueOf(target, object, name)])));
}

/** Built-in kinds that can be selected by nothing else say what they can be selected by. */
function unknownField({ definition, version }: Target, name: string): ApiError {
  const plain = definition.behaviour.strategicPatches && version.selectableFields.length === 0;
  if (!plain) return badRequest(`field label not supported: ${name}`);
  return badRequest(
    `${JSON.stringify(name)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

/** What a field selector compares with: texts as they are, other scalars as they print, nothing as nothing. */
function valueOf({ definition }: Target, object: KubeObject, field: string): string {
  const special = definition.behaviour.selectableValue?.(object, field);
  if (special !== undefined) return special;
  const value = fieldAt(object, ...field.split("."));
  return typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
}
