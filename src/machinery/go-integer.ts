import { quote } from "#base";

/** An integer, or why a text is none, in Go's words. */
export type GoInteger =
  | { readonly kind: "integer"; readonly value: number }
  | { readonly kind: "none"; readonly why: string };

/** Reads an integer as Go's `strconv.ParseInt(text, 10, 32)` does. */
export function parseInt32(text: string): GoInteger {
  return parseInteger(text, "ParseInt", 2 ** 31);
}

/** Reads an integer as Go's `strconv.Atoi` does. */
export function atoi(text: string): GoInteger {
  return parseInteger(text, "Atoi", 2 ** 63);
}

function parseInteger(text: string, reader: string, limit: number): GoInteger {
  const none = (problem: string): GoInteger => ({
    kind: "none",
    why: `strconv.${reader}: parsing ${quote(text)}: ${problem}`,
  });
  if (!/^[+-]?[0-9]+$/.test(text)) return none("invalid syntax");
  const value = Number(text);
  return value >= limit || value < -limit ? none("value out of range") : { kind: "integer", value };
}
