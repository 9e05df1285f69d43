import { type FieldError, invalid } from "./field-error.ts";
import type { FieldPath } from "./field-path.ts";
import { isLongerThan, subdomainProblem, type Syntax } from "./name-syntax.ts";

/** The labels of an object. */
export type Labels = { readonly [key: string]: string };

const namePattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const nameText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${namePattern}')`;
const keyText = `a valid label key ${nameText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  `'(${namePattern})?')`;

const name = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** What is wrong with a qualified name, `[<subdomain>/]<name>`: the keys of labels and annotations, and finalizers. */
export const qualifiedNameProblems: Syntax = remembering((text) => {
  const parts = text.split("/");
  if (parts.length > 2) return [keyText];
  const [prefix, own] = parts.length === 2 ? [parts[0] ?? "", parts[1] ?? ""] : [undefined, text];
  return [...(prefix === undefined ? [] : prefixProblems(prefix)), ...namePartProblems(own)];
});

/** What is wrong with the value of a label. */
export const labelValueProblems: Syntax = remembering((value) => [
  ...(isLongerThan(value, 63) ? ["must be no more than 63 bytes"] : []),
  ...(value === "" || name.test(value) ? [] : [valueText]),
]);

/** Checks the labels of an object. */
export function validateLabels(labels: Labels, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(labels)) {
    const value = labels[key] ?? "";
    for (const problem of qualifiedNameProblems(key)) errors.push(invalid(at, key, problem));
    for (const problem of labelValueProblems(value)) errors.push(invalid(at, value, problem));
  }
  return errors;
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  const spelling = subdomainProblem(prefix);
  return [
    ...(isLongerThan(prefix, 253) ? ["prefix part must be no more than 253 bytes"] : []),
    ...(spelling === undefined ? [] : [`prefix part ${spelling}`]),
  ];
}

function namePartProblems(own: string): readonly string[] {
  return [
    ...(own === "" ? ["name part must be non-empty"] : []),
    ...(isLongerThan(own, 63) ? ["name part must be no more than 63 bytes"] : []),
    ...(name.test(own) ? [] : [`name part ${nameText}`]),
  ];
}

const fine: readonly string[] = [];
const mostRemembered = 10_000;

/** The same few thousand keys and values come again and again: what was fine once need not be looked at again. */
function remembering(problemsOf: Syntax): Syntax {
  const known = new Set<string>();
  return (text) => {
    if (known.has(text)) return fine;
    const problems = problemsOf(text);
    if (problems.length > 0) return problems;
    if (known.size === mostRemembered) known.clear();
    known.add(text);
    return fine;
  };
}
