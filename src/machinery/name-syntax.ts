/** What is wrong with a text; empty where nothing is. */
export type Syntax = (text: string) => readonly string[];

/** How the names of a kind are spelled, and the beginnings that `generateName` gives. */
export interface NameSyntax {
  readonly name: Syntax;
  readonly generateName: Syntax;
}

const subdomainPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const labelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const rfc1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";

// The same languages without nested repetition, which a hostile text could make slow.
const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const rfc1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  `end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`;
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
  `an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPattern}')`;
const rfc1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  `end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${rfc1035Pattern}')`;

/** Names as custom resources and most kinds have them: `my-name.example.com`. */
export const subdomainName: NameSyntax = dashed((name) => [
  ...tooLongFor(name, 253),
  ...(isSubdomain(name) ? [] : [subdomainText]),
]);

/** Names without dots, as Namespaces have them. */
export const labelName: NameSyntax = dashed((name) => {
  if (label.test(name)) return tooLongFor(name, 63);
  return [...tooLongFor(name, 63), isSubdomain(name) ? "must not contain dots" : labelText];
});

/** Names without dots that begin with a letter, as Services have them. */
export const rfc1035LabelName: NameSyntax = dashed((name) => [
  ...tooLongFor(name, 63),
  ...(rfc1035.test(name) ? [] : [rfc1035Text]),
]);

/** Names that only have to fit into a URL, as roles have them. */
export const pathSegmentName: NameSyntax = {
  name: (name) => (name === "." || name === ".." ? [`may not be '${name}'`] : notInSegment(name)),
  generateName: notInSegment,
};

/** The text that explains the spelling of a subdomain, and the test for it. */
export function subdomainProblem(text: string): string | undefined {
  return isSubdomain(text) ? undefined : subdomainText;
}

/** True where a text takes more bytes than that as UTF-8. */
export function isLongerThan(text: string, bytes: number): boolean {
  // No character takes more than three bytes for each of its code units.
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** A name that is generated may have a dash at the end of what is given: something follows it. */
function dashed(name: Syntax): NameSyntax {
  return { name, generateName: (text) => name(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -2)}a` : text) };
}

function isSubdomain(text: string): boolean {
  return text.includes(".") ? text.split(".").every((part) => label.test(part)) : label.test(text);
}

function tooLongFor(name: string, most: number): readonly string[] {
  return isLongerThan(name, most) ? [`must be no more than ${most} characters`] : [];
}

function notInSegment(name: string): readonly string[] {
  return ["/", "%"]
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
}
