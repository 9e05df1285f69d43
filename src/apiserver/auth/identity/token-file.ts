import { createHmac, randomBytes } from "node:crypto";
import type { Caller } from "#apiserver/admission";
import { TokenFileError } from "../errors.ts";

/** Finds the caller of a static token; undefined for a token that it does not know. */
export type StaticTokens = (token: string) => Caller | undefined;

/**
 * Reads a file of static tokens: CSV with token, user, uid and, quoted if there are several, groups. Tokens are looked
 * up by a keyed digest, so that how long it takes says nothing about them.
 */
export function parseTokenFile(text: string): StaticTokens {
  const key = randomBytes(32);
  const digestOf = (token: string) => createHmac("sha256", key).update(token).digest("base64");
  const callers = new Map<string, Caller>();
  for (const { line, fields } of recordsIn(text)) {
    const [token = "", name = "", uid = "", groups = ""] = fields;
    if (fields.length < 3) {
      throw new TokenFileError(
        `line ${line} of the token file has ${fields.length} columns; token, user name and user uid are required`,
      );
    }
    if (token === "") throw new TokenFileError(`line ${line} of the token file has no token`);
    const listed = groups.split(",").filter((group) => group !== "");
    callers.set(digestOf(token), { name, groups: listed, ...(uid === "" ? {} : { uid }) });
  }
  return (token) => (callers.size === 0 ? undefined : callers.get(digestOf(token)));
}

interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

function recordsIn(text: string): readonly CsvRecord[] {
  return text
    .split(/\r?\n/)
    .map((content, index) => ({ line: index + 1, content }))
    .filter(({ content }) => content !== "")
    .map(({ line, content }) => ({ line, fields: fieldsIn(content, line) }));
}

/** The fields of one line; blanks before a field do not count, and two quotes inside quotes are one. */
function fieldsIn(content: string, line: number): readonly string[] {
  const fields: string[] = [];
  let rest = content;
  for (;;) {
    const [whole, quoted, plain = ""] = /^\s*(?:"((?:[^"]|"")*)"(?=,|$)|([^,"]*)(?=,|$))/.exec(rest) ?? [];
    if (whole === undefined) throw new TokenFileError(`line ${line} of the token file is no CSV: a quote is misplaced`);
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (rest === "") return fields;
    rest = rest.slice(1);
  }
}
