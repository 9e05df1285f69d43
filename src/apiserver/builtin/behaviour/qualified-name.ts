import { subdomainProblems } from "./names.ts";

const nameForm = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const wellFormed = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const longestName = 63;
const nameText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  `character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${nameForm}')`;
const wholeText =
  "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  `alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${nameForm}') ` +
  "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

/** What is wrong with a name that may have a domain in front of it: `example.com/name`. */
export function qualifiedNameProblems(text: string): readonly string[] {
  const parts = text.split("/");
  if (parts.length > 2) return [wholeText];
  const name = parts.at(-1) ?? "";
  const problems = parts.length === 2 ? prefixProblems(parts[0] ?? "") : [];
  if (name === "") return [...problems, "name part must be non-empty", nameText];
  return [
    ...problems,
    ...(name.length > longestName ? [`name part must be no more than ${longestName} characters`] : []),
    ...(wellFormed.test(name) ? [] : [nameText]),
  ];
}

function prefixProblems(prefix: string): readonly string[] {
  return prefix === ""
    ? ["prefix part must be non-empty"]
    : subdomainProblems(prefix).map((why) => `prefix part ${why}`);
}
