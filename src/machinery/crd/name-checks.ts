import { type FieldError, invalid, required } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { rfc1035LabelName, subdomainName } from "../name-syntax.ts";
import type { DefinitionNames } from "./definition.ts";

/** What is wrong with the group of a definition. */
export function groupErrors(group: string, path: FieldPath): readonly FieldError[] {
  if (group === "") return [required(path)];
  const problems = subdomainName.name(group);
  if (problems.length > 0) return [invalid(path, group, problems.join(","))];
  return group.includes(".") ? [] : [invalid(path, group, "should be a domain with at least one dot")];
}

/** The names that a definition has to have and has not. */
export function missingNames(names: DefinitionNames, path: FieldPath): readonly FieldError[] {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => (names[name] ?? "") === "")
    .map((name) => required(path.child(name)));
}

/** What is wrong with the names of a definition, as far as it has them. */
export function nameErrors(names: DefinitionNames, path: FieldPath): readonly FieldError[] {
  const { plural, singular = "", kind, listKind = "", shortNames = [], categories = [] } = names;
  const same = kind !== "" && kind === listKind;
  return [
    ...(plural === "" ? [] : labelError(plural, path.child("plural"))),
    ...(singular === "" ? [] : labelError(singular, path.child("singular"))),
    ...(kind === "" ? [] : kindError(kind, path.child("kind"))),
    ...(listKind === "" ? [] : kindError(listKind, path.child("listKind"))),
    ...shortNames.flatMap((name, index) => labelError(name, path.child("shortNames").index(index))),
    ...(same ? [invalid(path.child("listKind"), listKind, "kind and listKind may not be the same")] : []),
    ...categories.flatMap((name, index) => labelError(name, path.child("categories").index(index))),
  ];
}

/** What is wrong with a text that has to be a DNS label; one error for all. */
export function labelError(text: string, path: FieldPath): readonly FieldError[] {
  const problems = rfc1035LabelName.name(text);
  return problems.length === 0 ? [] : [invalid(path, text, problems.join(","))];
}

/** Refuses a change of what must stay. */
export function immutableError(value: string, old: string, path: FieldPath): readonly FieldError[] {
  return value === old ? [] : [invalid(path, value, "field is immutable")];
}

function kindError(kind: string, path: FieldPath): readonly FieldError[] {
  const problems = rfc1035LabelName.name(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}
