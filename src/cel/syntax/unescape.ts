const simple: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "`": "`",
  "?": "?",
};

const escapes = /\\(?:([xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gsu;

/** The text that a string literal stands for, quotes and prefix included in what is given; or why it is none. */
export function unescapeString(literal: string): { readonly text: string } | { readonly problem: string } {
  const { body, raw } = bodyOf(literal);
  if (raw) return { text: body };
  let problem: string | undefined;
  const text = body.replaceAll(escapes, (_, hex?: string, octal?: string, letter?: string) => {
    const point = pointOf(hex, octal);
    if (point === undefined) return simple[letter ?? ""] ?? "";
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      problem = "invalid unicode code point";
      return "";
    }
    return String.fromCodePoint(point);
  });
  return problem === undefined ? { text } : { problem };
}

/** The bytes that a bytes literal (without its `b`) stands for; its \x and octal escapes are bytes, not characters. */
export function unescapeBytes(literal: string): { readonly bytes: Uint8Array } | { readonly problem: string } {
  const { body, raw } = bodyOf(literal);
  if (raw) return { bytes: Buffer.from(body) };
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const match of body.matchAll(escapes)) {
    const [all, hex, octal, letter] = match;
    if (hex !== undefined && /^[uU]/.test(hex)) return { problem: "unable to unescape string" };
    parts.push(Buffer.from(body.slice(end, match.index)));
    end = match.index + all.length;
    const point = pointOf(hex, octal);
    parts.push(point === undefined ? Buffer.from(simple[letter ?? ""] ?? "") : Buffer.of(point));
  }
  parts.push(Buffer.from(body.slice(end)));
  return { bytes: Buffer.concat(parts) };
}

function bodyOf(literal: string): { readonly body: string; readonly raw: boolean } {
  const normal = literal.replaceAll(/\r\n?/g, "\n");
  const raw = /^[rR]/.test(normal);
  const quoted = raw ? normal.slice(1) : normal;
  const mark = /^('''|""")/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { body: quoted.slice(mark, -mark), raw };
}

function pointOf(hex: string | undefined, octal: string | undefined): number | undefined {
  if (hex !== undefined) return Number.parseInt(hex.slice(1), 16);
  return octal === undefined ? undefined : Number.parseInt(octal, 8);
}
