import { type FieldError, type FieldPath, type Json, type LabelSelector, validateLabelSelector } from "#machinery";
import { listAt, objectAt, textAt, textMap, textsAt } from "./object-fields.ts";

/** What is wrong with a label selector that an object carries. */
export function selectorProblems(selector: Json | undefined, at: FieldPath): readonly FieldError[] {
  return selector === undefined || selector === null ? [] : validateLabelSelector(readSelector(selector), at);
}

/** A label selector as the rest of the program knows it. */
export function readSelector(selector: Json): LabelSelector {
  const matchLabels = textMap(objectAt(selector, "matchLabels"));
  const matchExpressions = listAt(selector, "matchExpressions").map((each) => ({
    key: textAt(each, "key"),
    operator: textAt(each, "operator"),
    values: textsAt(each, "values"),
  }));
  return { matchLabels, matchExpressions };
}
