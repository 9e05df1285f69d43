import type { ObjectKey } from "#machinery";
import { type ByteRange, code, endOfText, endOfValue, isStructure } from "./json-bytes.ts";

const member = {
  object: Buffer.from('"object":{'),
  metadata: Buffer.from('"metadata":{'),
  name: Buffer.from('"name":"'),
  namespace: Buffer.from('"namespace":"'),
  managedFields: Buffer.from('"managedFields":['),
} as const;

/**
 * Whose event it probably is, told from the first metadata in it that have a name. Nobody may rely on it: to be sure one
 * would have to read all that stands before them.
 */
export function probableKeyOf(line: Buffer): ObjectKey | undefined {
  for (let at = line.indexOf(member.metadata); at !== -1; at = line.indexOf(member.metadata, at + 1)) {
    const key = keyIn(line, at + member.metadata.length);
    if (key.name !== "") return key;
  }
  return undefined;
}

function keyIn(line: Buffer, first: number): ObjectKey {
  let name = "";
  let namespace = "";
  for (let at = first; line[at] === code.quotation && (name === "" || namespace === ""); at += 1) {
    const end = endOfMember(line, at);
    if (end === -1) break;
    if (begins(line, at, member.name)) name = line.toString("latin1", at + member.name.length, end - 1);
    else if (begins(line, at, member.namespace))
      namespace = line.toString("latin1", at + member.namespace.length, end - 1);
    at = end;
    if (line[at] !== code.comma) break;
  }
  return { namespace, name };
}

/**
 * Where the list stands of who manages which field of an event's object, with one of the commas around it. Undefined
 * where there is none, and for a form that servers do not write.
 */
export function managedFieldsIn(line: Buffer): ByteRange | undefined {
  if (line[0] !== code.openObject) return undefined;
  const object = insideOf(line, 1, member.object);
  const metadata = object === -1 ? -1 : insideOf(line, object, member.metadata);
  const inside = metadata === -1 ? -1 : insideOf(line, metadata, member.managedFields);
  if (inside === -1) return undefined;
  const start = inside - member.managedFields.length;
  return line[start - 1] === code.comma ? managedFieldsAt(line, start - 1) : managedFieldsAt(line, start);
}

/** The same, if it begins just here, with the comma before it unless nothing else does. */
export function managedFieldsAt(line: Buffer, from: number): ByteRange | undefined {
  const hasComma = line[from] === code.comma;
  const start = hasComma ? from + 1 : from;
  if (!begins(line, start, member.managedFields)) return undefined;
  const end = endOfMember(line, start);
  if (end === -1) return undefined;
  return { from, to: !hasComma && line[end] === code.comma ? end + 1 : end };
}

/** The first place within the value of a member of the object whose members begin here; -1 where there is none. */
function insideOf(line: Buffer, first: number, wanted: Buffer): number {
  for (let at = first; line[at] === code.quotation; at += 1) {
    if (begins(line, at, wanted)) return at + wanted.length;
    at = endOfMember(line, at);
    if (at === -1 || line[at] !== code.comma) return -1;
  }
  return -1;
}

function endOfMember(line: Buffer, start: number): number {
  if (begins(line, start, member.managedFields)) return endOfManagers(line, start + member.managedFields.length);
  const colon = endOfText(line, start);
  return colon === -1 || line[colon] !== code.colon ? -1 : endOfValue(line, colon + 1);
}

/**
 * The place after the list of who manages which field. It is as long as the rest of an object, and has no list in it: its
 * end is looked for by the platform, who is many times as fast as a look at each byte.
 */
function endOfManagers(line: Buffer, inside: number): number {
  const close = line.indexOf(code.closeList, inside);
  const nextOpen = line.indexOf(code.openList, inside);
  const isOnlyList = close !== -1 && (nextOpen === -1 || nextOpen > close);
  return isOnlyList && isOutsideOfText(line, close) ? close + 1 : endOfValue(line, inside - 1);
}

/** True where a closing bracket is sure to be no part of a text: a quotation mark that follows would end the text. */
function isOutsideOfText(line: Buffer, bracket: number): boolean {
  let at = bracket + 1;
  while (line[at] === code.closeObject) at += 1;
  if (line[at] !== code.comma || line[at + 1] !== code.quotation) return false;
  const next = line[at + 2];
  return next !== code.colon && !isStructure(next);
}

function begins(line: Buffer, at: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (line[at + index] !== wanted[index]) return false;
  return true;
}
