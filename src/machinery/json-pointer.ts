import { CapstanError } from "#base";

/** A text that is not a JSON pointer. */
export class InvalidJsonPointerError extends CapstanError {
  readonly code = "INVALID_JSON_POINTER";
}

/** Reads a JSON pointer (RFC 6901) such as `/metadata/labels/example.com~1name`: its keys and indexes, unescaped. */
export function parseJsonPointer(text: string): readonly string[] {
  if (text === "") return [];
  if (!text.startsWith("/"))
    throw new InvalidJsonPointerError(`JSON pointer ${JSON.stringify(text)} must start with /`);
  if (/~(?![01])/.test(text))
    throw new InvalidJsonPointerError(`JSON pointer ${JSON.stringify(text)} has a ~ that is not followed by 0 or 1`);
  return text
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Writes keys and indexes as a JSON pointer. */
export function printJsonPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
