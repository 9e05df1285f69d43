import { CapstanError } from "#base";

/** A field selector that cannot be read, in the words of kube-apiserver. */
export class InvalidFieldSelectorError extends CapstanError {
  readonly code = "INVALID_FIELD_SELECTOR";
}

/** One condition of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly kind: "equals" | "not-equals";
  readonly value: string;
}

/** The fields of an object that can be selected by, each as text. */
export type SelectableFields = { readonly [field: string]: string };

/** A field selector that is ready to be asked. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** A field that an object does not have counts as empty. */
  readonly matches: (fields: SelectableFields) => boolean;
}

/** Reads a selector such as `metadata.name=a,status.phase!=Running`; in values `\`, `,` and `=` are escaped by `\`. */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements = termsOf(text).map((term) => requirementOf(text, term));
  return { requirements, matches: (fields) => requirements.every((requirement) => holds(requirement, fields)) };
}

/** Writes a selector with its requirements in order. */
export function printFieldSelector({ requirements }: FieldSelector): string {
  return requirements
    .map(({ field, kind, value }) => `${field}${kind === "equals" ? "=" : "!="}${escapeFieldValue(value)}`)
    .toSorted()
    .join(",");
}

/** A value as it must stand in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, "\\$&");
}

/** The value that a selector asks a field to have, where it asks for one. */
export function requiredValue({ requirements }: FieldSelector, field: string): string | undefined {
  return requirements.find((requirement) => requirement.kind === "equals" && requirement.field === field)?.value;
}

function holds({ field, kind, value }: FieldRequirement, fields: SelectableFields): boolean {
  const actual = Object.hasOwn(fields, field) ? (fields[field] ?? "") : "";
  return (actual === value) === (kind === "equals");
}

/** Splits at commas that are not escaped; empty terms say nothing. */
function termsOf(text: string): readonly string[] {
  return (text.match(/(?:\\[\s\S]|[^,\\]|\\$)+/g) ?? []).filter((term) => term !== "");
}

function requirementOf(text: string, term: string): FieldRequirement {
  // The first operator that no backslash hides divides the term.
  const [, field, operator, value] = /^((?:\\[\s\S]|(?!!=)[^=\\])*)(!=|==|=)([\s\S]*)$/.exec(term) ?? [];
  if (field === undefined || value === undefined)
    throw new InvalidFieldSelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
  return { field, kind: operator === "!=" ? "not-equals" : "equals", value: unescaped(value) };
}

function unescaped(value: string): string {
  let plain = "";
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at);
    if (character === "," || character === "=")
      throw new InvalidFieldSelectorError(
        `invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`,
      );
    if (character !== "\\") {
      plain += character;
      continue;
    }
    const escaped = value.charAt(++at);
    if (escaped === "" || !"\\,=".includes(escaped))
      throw new InvalidFieldSelectorError(`invalid field selector: invalid escape sequence: \\${escaped}`);
    plain += escaped;
  }
  return plain;
}
