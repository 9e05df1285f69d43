import { quote } from "#base";
import {
  compileLabelSelector,
  encodeJson,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  InvalidLabelSelectorError,
  type LabelSelector,
  type Labels,
  PrintedValue,
  printLabelSelector,
  type Selector,
} from "#machinery";

/** A selector that is ready to be asked, or what is wrong with it. */
export type ReadSelector =
  | { readonly kind: "selector"; readonly selector: Selector }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/** Reads a selector. */
export function readSelector(selector: LabelSelector, at: FieldPath): ReadSelector {
  try {
    return { kind: "selector", selector: compileLabelSelector(selector) };
  } catch (error) {
    if (!(error instanceof InvalidLabelSelectorError)) throw error;
    return { kind: "invalid", errors: [invalid(at, selectorValue(selector), error.message)] };
  }
}

/** A selector can be read. */
export function selectorErrors(selector: LabelSelector, at: FieldPath): readonly FieldError[] {
  const read = readSelector(selector, at);
  return read.kind === "invalid" ? read.errors : [];
}

/** True for a selector that selects everything. */
export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

interface Selecting {
  readonly selector: LabelSelector;
  readonly template: { readonly metadata?: { readonly labels?: Labels } };
}

/** The Machines that are made are among those that are selected. */
export function templateSelectedErrors(
  { selector, template }: Selecting,
  at: FieldPath,
  { kind }: { readonly kind: "invalid" | "forbidden" },
): readonly FieldError[] {
  const read = readSelector(selector, at.child("selector"));
  if (read.kind === "invalid") return read.errors;
  const { labels } = template.metadata ?? {};
  if (read.selector.matches(labels)) return [];
  const why = `must match spec.selector ${quote(printLabelSelector(read.selector))}`;
  const path = at.child("template", "metadata", "labels");
  return [kind === "invalid" ? invalid(path, labels, why) : forbidden(path, why)];
}

/** A selector as it is printed in errors: labels first. */
export function selectorValue({ matchLabels, matchExpressions }: LabelSelector): PrintedValue {
  const expressions = (matchExpressions ?? []).map(({ key, operator, values }) =>
    printObject({ key, operator, values: values === undefined || values.length === 0 ? undefined : values }),
  );
  const parts = [
    ...(matchLabels === undefined ? [] : [`"matchLabels":${encodeJson(matchLabels)}`]),
    ...(matchExpressions === undefined ? [] : [`"matchExpressions":[${expressions.join(",")}]`]),
  ];
  return new PrintedValue(`{${parts.join(",")}}`);
}

function printObject(members: { readonly [name: string]: string | readonly string[] | undefined }): string {
  const parts = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeJson(name)}:${encodeJson(value)}`],
  );
  return `{${parts.join(",")}}`;
}
