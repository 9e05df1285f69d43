import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { comparePathElements, InvalidFieldsError, parsePathElement, type PathElement } from "./path-element.ts";

const decoded = new WeakMap<JsonObject, FieldSet>();

/**
 * Reads a `fieldsV1`. Steps of an unknown kind are dropped with all they hold; what is no step at all throws an
 * InvalidFieldsError. The set of an object is remembered, so objects handed in must not change afterwards.
 */
export function decodeFields(fields: JsonObject): FieldSet {
  const known = decoded.get(fields);
  if (known !== undefined) return known;
  const { set } = decodeNode(fields);
  // A root with nothing in it is the empty set, whereas a node with nothing in it is a field.
  const root = set.children.size === 0 ? FieldSet.empty : set.isMember ? FieldSet.node(false, set.children) : set;
  decoded.set(fields, root);
  return root;
}

/** The set of fields, and whether its canonical encoding is what was read. */
interface Decoded {
  readonly set: FieldSet;
  readonly canonical: boolean;
}

const leaf: Decoded = { set: FieldSet.leaf, canonical: true };

function decodeNode(fields: Json): Decoded {
  if (fields === null) return { set: FieldSet.leaf, canonical: false };
  if (!isJsonObject(fields))
    throw new InvalidFieldsError(`expected an object of fields, got ${JSON.stringify(fields)}`);
  const children = new Map<PathElement, FieldSet>();
  let isMember = false;
  let canonical = true;
  let last: PathElement | undefined;
  for (const key in fields) {
    if (key === ".") {
      isMember = true;
      canonical &&= last === undefined && isEmptyObject(fields[key]);
      continue;
    }
    const element = parsePathElement(key);
    if (element === undefined) {
      canonical = false;
      continue;
    }
    const child = decodeNode(fields[key] ?? null);
    canonical &&= child.canonical && element === key && (last === undefined || comparePathElements(last, element) < 0);
    last = element;
    const before = children.get(element);
    children.set(element, before === undefined ? child.set : before.union(child.set));
  }
  if (children.size === 0) return isMember || !canonical ? { set: FieldSet.leaf, canonical: false } : leaf;
  return { set: FieldSet.node(isMember, children, canonical ? fields : undefined), canonical };
}

function isEmptyObject(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
