const escapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

// What Go prints as itself: letters, marks, numbers, punctuation, symbols and the plain blank.
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Writes a text as a Go string literal (`%q`). */
export function quote(text: string): string {
  let quoted = "";
  for (const character of text)
    quoted += escapes[character] ?? (printable.test(character) ? character : escape(character));
  return `"${quoted}"`;
}

/** Texts in brackets, separated by blanks, as Go prints a slice of strings. */
export function bracketed(texts: readonly string[]): string {
  return `[${texts.join(" ")}]`;
}

function escape(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  // Half of a surrogate pair is no character; Go would have read U+FFFD here.
  if (point >= 0xd800 && point <= 0xdfff) return "\ufffd";
  if (point < 0x80) return `\\x${hex(point, 2)}`;
  return point < 0x10000 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
}

function hex(point: number, width: number): string {
  return point.toString(16).padStart(width, "0");
}
