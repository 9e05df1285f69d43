import type { ResourceBehaviour } from "../../resources/definition.ts";

type NameProblems = ResourceBehaviour["nameProblems"];

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const labelFromLetter = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const labelForm = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  `'${labelForm}(\\.${labelForm})*')`;
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
  `an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelForm}')`;
const labelFromLetterText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
  "'[a-z]([-a-z0-9]*[a-z0-9])?')";

/** `my-name.example.com`: what most kinds are called by. */
export const subdomainNames: NameProblems = begun((name) => [
  ...longerThan(name, 253),
  ...(isSubdomain(name) ? [] : [subdomainText]),
]);

/** `my-name`. */
export const labelNames: NameProblems = begun((name) => [...longerThan(name, 63), ...labelProblems(name)]);

/** `my-name`, not beginning with a digit. */
export const labelNamesFromLetter: NameProblems = begun((name) => [
  ...longerThan(name, 63),
  ...(labelFromLetter.test(name) ? [] : [labelFromLetterText]),
]);

/** Anything that fits into a path. */
export const pathNames: NameProblems = (name, prefix) => {
  if (!prefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
};

/** What is wrong with a text as a subdomain. */
export function subdomainProblems(name: string): readonly string[] {
  return subdomainNames(name, false);
}

function labelProblems(name: string): readonly string[] {
  if (label.test(name)) return [];
  return [isSubdomain(name) ? "must not contain dots" : labelText];
}

function isSubdomain(name: string): boolean {
  return name.split(".").every((part) => label.test(part));
}

/** A beginning may have a dash at its end, as something follows. */
function begun(problems: (name: string) => readonly string[]): NameProblems {
  return (name, prefix) => problems(prefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name);
}

function longerThan(name: string, most: number): readonly string[] {
  return Buffer.byteLength(name) > most ? [`must be no more than ${most} characters`] : [];
}
