const labelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const dns1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";
const keyPattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const valuePattern = `(${keyPattern})?`;

const isLabel = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const isDns1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const isKey = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const dns1035Rule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const keyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** What is wrong with a text as a DNS subdomain; nothing where it is one. */
export function subdomainProblems(text: string): readonly string[] {
  const rule = withExamples(subdomainRule, subdomainPattern, ["example.com"]);
  return [...tooLongFor(text, 253), ...(isSubdomain(text) ? [] : [rule])];
}

/** What is wrong with a text as a lower-case DNS label (RFC 1123). */
export function labelProblems(text: string): readonly string[] {
  const rule = isSubdomain(text)
    ? "must not contain dots"
    : withExamples(labelRule, labelPattern, ["my-name", "123-abc"]);
  return [...tooLongFor(text, 63), ...(isLabel.test(text) ? [] : [rule])];
}

/** What is wrong with a text as a DNS label that begins with a letter (RFC 1035). */
export function dns1035Problems(text: string): readonly string[] {
  const rule = withExamples(dns1035Rule, dns1035Pattern, ["my-name", "abc-123"]);
  return [...tooLongFor(text, 63), ...(isDns1035.test(text) ? [] : [rule])];
}

/** What is wrong with a text as the key of a label, an annotation or the name of a finalizer. */
export function labelKeyProblems(text: string): readonly string[] {
  const rule = withExamples(keyRule, keyPattern, ["MyName", "my.name", "123-abc"]);
  const parts = text.split("/");
  if (parts.length > 2) {
    return [`a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const [name = "", prefix] = parts.toReversed();
  return [
    ...(prefix === undefined ? [] : prefixProblems(prefix)),
    ...(name === "" ? ["name part must be non-empty"] : tooLongFor(name, 63).map((why) => `name part ${why}`)),
    ...(isKey.test(name) ? [] : [`name part ${rule}`]),
  ];
}

/** What is wrong with a text as the value of a label. */
export function labelValueProblems(text: string): readonly string[] {
  const rule = withExamples(valueRule, valuePattern, ["MyValue", "my_value", "12345"]);
  return [...tooLongFor(text, 63), ...(text === "" || isKey.test(text) ? [] : [rule])];
}

/** What is wrong with a text as a step of a URL path. */
export function pathSegmentProblems(text: string): readonly string[] {
  if (text === "." || text === "..") return [`may not be '${text}'`];
  return pathPrefixProblems(text);
}

/** The same for a text that something will be appended to. */
export function pathPrefixProblems(text: string): readonly string[] {
  return ["/", "%"]
    .filter((character) => text.includes(character))
    .map((character) => `may not contain '${character}'`);
}

function isSubdomain(text: string): boolean {
  return text.split(".").every((part) => isLabel.test(part));
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return subdomainProblems(prefix).map((why) => `prefix part ${why}`);
}

function tooLongFor(text: string, most: number): readonly string[] {
  return Buffer.byteLength(text) > most ? [`must be no more than ${most} bytes`] : [];
}

function withExamples(rule: string, pattern: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${list}regex used for validation is '${pattern}')`;
}
