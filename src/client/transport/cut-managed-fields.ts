import { isUtf8 } from "node:buffer";

const code = {
  quotation: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

const member = Buffer.from('"managedFields":[');
// Within an event: the object, its metadata, and there the list.
const depthOfMember = 3;

/**
 * An event of a watch without the list of who manages which field of its object. That list is often as long as all the
 * rest, and what is cut out of the text need not be read. An event in any other form than servers write stays as it is.
 */
export function cutManagedFields(line: Buffer): Buffer | string {
  for (let at = line.indexOf(member); at !== -1; at = line.indexOf(member, at + 1)) {
    if (!isInMetadata(line, at)) continue;
    const end = endOfList(line, at + member.length - 1);
    if (end === -1) return line;
    if (!isUtf8(line)) return line;
    // One of the commas around a member goes with it.
    const isAfterComma = line[at - 1] === code.comma;
    const rest = !isAfterComma && line[end] === code.comma ? end + 1 : end;
    return line.toString("utf8", 0, isAfterComma ? at - 1 : at) + line.toString("utf8", rest);
  }
  return line;
}

/** True where a place in an event is a member of `object.metadata`, and not of something else or within a text. */
function isInMetadata(line: Buffer, place: number): boolean {
  const keys: string[] = [];
  let depth = 0;
  for (let at = 0; at < place; at += 1) {
    const here = line[at];
    if (here === code.openObject || here === code.openList) depth += 1;
    else if (here === code.closeObject || here === code.closeList) depth -= 1;
    else if (here === code.quotation) {
      const end = endOfText(line, at);
      if (end === -1 || end >= place) return false;
      if (depth < depthOfMember && line[end + 1] === code.colon) keys[depth] = line.toString("utf8", at + 1, end);
      at = end;
    }
  }
  return depth === depthOfMember && keys[1] === "object" && keys[2] === "metadata";
}

/** The place after a list that opens here. */
function endOfList(line: Buffer, open: number): number {
  let depth = 0;
  for (let at = open; at < line.length; at += 1) {
    const here = line[at];
    if (here === code.openObject || here === code.openList) depth += 1;
    else if (here === code.closeObject || here === code.closeList) {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (here === code.quotation) {
      at = endOfText(line, at);
      if (at === -1) return -1;
    }
  }
  return -1;
}

/** The quotation mark that ends the text that one begins here. */
function endOfText(line: Buffer, open: number): number {
  for (let at = open + 1; at < line.length; at += 1) {
    if (line[at] === code.backslash) at += 1;
    else if (line[at] === code.quotation) return at;
  }
  return -1;
}
