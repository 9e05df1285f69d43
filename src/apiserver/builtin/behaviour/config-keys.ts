import { type FieldError, type FieldPath, invalid, type JsonObject } from "#machinery";

const form = "[-._a-zA-Z0-9]+";
const longestKey = 253;
const wellFormed = /^[-._a-zA-Z0-9]+$/;

/** How much a Secret or ConfigMap may hold, in bytes. */
export const mostBytes = 1024 * 1024;

/** What is wrong with the keys of a map that becomes files. */
export function keyProblems(map: JsonObject, at: FieldPath): readonly FieldError[] {
  return Object.keys(map)
    .toSorted()
    .flatMap((key) => configKeyProblems(key).map((why) => invalid(at.key(key), key, why)));
}

/** What is wrong with one key. */
export function configKeyProblems(key: string): readonly string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(key) > longestKey) problems.push(`must be no more than ${longestKey} characters`);
  if (!wellFormed.test(key)) {
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  " +
        `or 'key-name', regex used for validation is '${form}')`,
    );
  }
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

/** The size of what base64 texts hold. */
export function decodedBytes(map: JsonObject): number {
  return total(map, (text) => Buffer.byteLength(text, "base64"));
}

/** The size of texts. */
export function textBytes(map: JsonObject): number {
  return total(map, (text) => Buffer.byteLength(text));
}

function total(map: JsonObject, size: (text: string) => number): number {
  return Object.values(map).reduce<number>((sum, text) => sum + (typeof text === "string" ? size(text) : 0), 0);
}
