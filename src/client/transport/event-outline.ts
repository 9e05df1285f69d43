import type { ObjectKey } from "#machinery";
import { type ByteRange, code, endOfText, endOfValue, isStructure } from "./json-bytes.ts";

/** What can be told of an event of a watch before it is read. */
export interface EventOutline {
  /** Whose event it probably is; nobody may rely on it. */
  readonly key: ObjectKey;
  /** Where the list stands of who manages which field, with one of the commas around it. */
  readonly managedFields?: ByteRange;
}

const member = {
  object: Buffer.from('"object":{'),
  metadata: Buffer.from('"metadata":{'),
  name: Buffer.from('"name":"'),
  namespace: Buffer.from('"namespace":"'),
  managedFields: Buffer.from('"managedFields":['),
} as const;

/** Looks over the text of an event up to the end of its object's metadata. Undefined for a form that servers do not write. */
export function outlineOf(line: Buffer): EventOutline | undefined {
  if (line[0] !== code.openObject) return undefined;
  const object = insideOf(line, 1, member.object);
  const metadata = object === -1 ? -1 : insideOf(line, object, member.metadata);
  return metadata === -1 ? undefined : outlineOfMetadata(line, metadata);
}

function outlineOfMetadata(line: Buffer, first: number): EventOutline | undefined {
  let name = "";
  let namespace = "";
  let managedFields: ByteRange | undefined;
  for (let at = first; line[at] === code.quotation; at += 1) {
    const isManagedFields = begins(line, at, member.managedFields);
    const end = isManagedFields ? endOfManagers(line, at + member.managedFields.length) : endOfMember(line, at);
    if (end === -1) return undefined;
    if (isManagedFields) managedFields = withComma(line, at, end);
    else if (begins(line, at, member.name)) name = line.toString("latin1", at + member.name.length, end - 1);
    else if (begins(line, at, member.namespace))
      namespace = line.toString("latin1", at + member.namespace.length, end - 1);
    at = end;
    if (line[at] !== code.comma) break;
  }
  const key = { namespace, name };
  return managedFields === undefined ? { key } : { key, managedFields };
}

/** The first place within the object that is the value of a member; -1 where there is no such member. */
function insideOf(line: Buffer, first: number, wanted: Buffer): number {
  for (let at = first; line[at] === code.quotation; at += 1) {
    if (begins(line, at, wanted)) return at + wanted.length;
    at = endOfMember(line, at);
    if (at === -1 || line[at] !== code.comma) return -1;
  }
  return -1;
}

function endOfMember(line: Buffer, start: number): number {
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

/** A member without the comma that stands between it and others is not all that has to go. */
function withComma(line: Buffer, start: number, end: number): ByteRange {
  if (line[start - 1] === code.comma) return { from: start - 1, to: end };
  return { from: start, to: line[end] === code.comma ? end + 1 : end };
}

function begins(line: Buffer, at: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (line[at + index] !== wanted[index]) return false;
  return true;
}
