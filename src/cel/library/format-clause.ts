/** A part of a template: text as it is, a place for a value, or a mistake. */
export type FormatClause =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly verb: string; readonly precision: number | undefined }
  | { readonly kind: "problem"; readonly problem: string };

/** What each verb says to a value that is not for it, before the name of its type. */
export const complaints: Readonly<Record<string, string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ",
  d: "decimal clause can only be used on integers, was given ",
  f: "fixed-point clause can only be used on doubles, was given ",
  e: "scientific clause can only be used on doubles, was given ",
  b: "only integers and bools can be formatted as binary, was given ",
  x: "only integers, byte buffers, and strings can be formatted as hex, was given ",
  X: "only integers, byte buffers, and strings can be formatted as hex, was given ",
  o: "octal clause can only be used on integers, was given ",
};

const percent = /%(?:(%)|(?:\.(\d*))?([\s\S]?))/gu;

/** Takes a template apart. After the first mistake nothing more is read. */
export function formatClauses(template: string): readonly FormatClause[] {
  const clauses: FormatClause[] = [];
  let end = 0;
  for (const match of template.matchAll(percent)) {
    const [all, literal, digits, verb = ""] = match;
    clauses.push({ kind: "text", text: template.slice(end, match.index) });
    end = match.index + all.length;
    if (literal !== undefined) {
      clauses.push({ kind: "text", text: "%" });
      continue;
    }
    const clause = valueClause(digits, verb);
    clauses.push(clause);
    if (clause.kind === "problem") return clauses;
  }
  clauses.push({ kind: "text", text: template.slice(end) });
  return clauses;
}

function valueClause(digits: string | undefined, verb: string): FormatClause {
  if (verb === "") {
    if (digits === undefined) return { kind: "problem", problem: "unexpected end of string" };
    return unreadable("error while parsing precision: could not find end of precision specifier");
  }
  if (digits === "") {
    const cause = 'strconv.Atoi: parsing "": invalid syntax';
    return unreadable(`error while parsing precision: error while converting precision to integer: ${cause}`);
  }
  if (!(verb in complaints)) return unreadable(`unrecognized formatting clause "${firstByte(verb)}"`);
  return { kind: "value", verb, precision: digits === undefined ? undefined : Number(digits) };
}

// The reference reads templates byte by byte, and takes the first byte of a character for a character.
function firstByte(verb: string): string {
  return String.fromCharCode(Buffer.from(verb)[0] ?? 0);
}

function unreadable(problem: string): FormatClause {
  return { kind: "problem", problem: `could not parse formatting clause: ${problem}` };
}
