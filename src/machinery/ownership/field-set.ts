import type { JsonObject } from "../json.ts";
import { comparePathElements, describePathElement, type PathElement } from "./path-element.ts";

/** A way through an object, step by step. */
export type Path = readonly PathElement[];

type Children = ReadonlyMap<PathElement, FieldSet>;

const noChildren: Children = new Map();

/**
 * A set of fields, kept as a trie. Sets never change; operations share whatever they leave as it was, and give back
 * the very set they were called on when nothing changes.
 */
export class FieldSet {
  /** True where the field at this node belongs to the set, not only fields below it. */
  readonly isMember: boolean;
  readonly children: Children;
  #fields: JsonObject | undefined;

  private constructor(isMember: boolean, children: Children, fields: JsonObject | undefined) {
    this.isMember = isMember;
    this.children = children;
    this.#fields = fields;
  }

  static readonly empty = new FieldSet(false, noChildren, Object.freeze({}));

  /** A single field with nothing below it. */
  static readonly leaf = new FieldSet(true, noChildren, Object.freeze({}));

  /** A node of a set; `fields` is its encoded form, where that is known already. */
  static node(isMember: boolean, children: Children | undefined, fields?: JsonObject): FieldSet {
    if (children === undefined || children.size === 0) return isMember ? FieldSet.leaf : FieldSet.empty;
    return new FieldSet(isMember, children, fields);
  }

  /** The set of these paths. */
  static of(...paths: readonly Path[]): FieldSet {
    return paths.reduce((set, path) => set.union(setOfOne(path)), FieldSet.empty);
  }

  get isEmpty(): boolean {
    return !this.isMember && this.children.size === 0;
  }

  /** The fields below one step; the empty set where there are none. */
  at(element: PathElement): FieldSet {
    return this.children.get(element) ?? FieldSet.empty;
  }

  has(path: Path): boolean {
    const [first, ...rest] = path;
    if (first === undefined) return this.isMember;
    return this.children.get(first)?.has(rest) ?? false;
  }

  /** The same set with the field at this node in it. */
  asMember(): FieldSet {
    return this.isMember ? this : FieldSet.node(true, this.children);
  }

  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, theirs] of other.children) {
      const ours = this.children.get(element);
      const joined = ours === undefined ? theirs : ours.union(theirs);
      if (joined !== ours) (children ??= new Map(this.children)).set(element, joined);
    }
    const isMember = this.isMember || other.isMember;
    if (children === undefined && isMember === this.isMember) return this;
    return FieldSet.node(isMember, children ?? this.children);
  }

  /** Leaves out the fields of another set, but keeps what lies below them. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    if (other === this) return FieldSet.empty;
    return without(this, other, (ours, theirs) => ours.difference(theirs));
  }

  /** Leaves out the fields of another set and everything below them. */
  differenceBelow(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    return without(this, other, (ours, theirs) => (theirs.isMember ? FieldSet.empty : ours.differenceBelow(theirs)));
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this || this.isEmpty) return this;
    if (other.isEmpty) return other;
    const [small, large] = this.children.size <= other.children.size ? [this, other] : [other, this];
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, node] of small.children) {
      const both = large.children.get(element)?.intersection(node);
      if (both !== undefined && !both.isEmpty) (children ??= new Map()).set(element, both);
    }
    return FieldSet.node(this.isMember && other.isMember, children);
  }

  /** The fields of the set that have no other field of the set below them. */
  leaves(): FieldSet {
    if (this.children.size === 0) return this;
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.children) children.set(element, child.leaves());
    return FieldSet.node(false, children);
  }

  /** True where every field of this set is in the other one. */
  isWithin(other: FieldSet): boolean {
    if (other === this) return true;
    if ((this.isMember && !other.isMember) || this.children.size > other.children.size) return false;
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      if (theirs === undefined || !child.isWithin(theirs)) return false;
    }
    return true;
  }

  equals(other: FieldSet): boolean {
    if (other === this) return true;
    if (this.isMember !== other.isMember || this.children.size !== other.children.size) return false;
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      if (theirs === undefined || !child.equals(theirs)) return false;
    }
    return true;
  }

  /** Every path of the set in canonical order: the fields of a node first, then what lies below each of them. */
  *paths(prefix: Path = []): Generator<Path> {
    const children = sorted(this.children);
    for (const [element, child] of children) if (child.isMember) yield [...prefix, element];
    for (const [element, child] of children) yield* child.paths([...prefix, element]);
  }

  /** The set as `fieldsV1` carries it, in canonical order. */
  get fields(): JsonObject {
    return (this.#fields ??= encode(this));
  }
}

/** A path as messages print it: `.spec.ports[name="a"].port`. */
export function describePath(path: Path): string {
  return path.map(describePathElement).join("");
}

function setOfOne(path: Path): FieldSet {
  return path.reduceRight((below, element) => FieldSet.node(false, new Map([[element, below]])), FieldSet.leaf);
}

/** A set without what `subtract` takes away of each node that another set has too. */
function without(set: FieldSet, other: FieldSet, subtract: (ours: FieldSet, theirs: FieldSet) => FieldSet): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, theirs] of other.children) {
    const ours = set.children.get(element);
    if (ours === undefined) continue;
    const left = subtract(ours, theirs);
    if (left === ours) continue;
    children ??= new Map(set.children);
    if (left.isEmpty) children.delete(element);
    else children.set(element, left);
  }
  const isMember = set.isMember && !other.isMember;
  if (children === undefined && isMember === set.isMember) return set;
  return FieldSet.node(isMember, children ?? set.children);
}

function encode({ isMember, children }: FieldSet): JsonObject {
  const fields: Record<string, JsonObject> = {};
  if (isMember) fields["."] = FieldSet.leaf.fields;
  for (const [element, child] of sorted(children)) fields[element] = child.fields;
  return Object.freeze(fields);
}

function sorted(children: Children): readonly (readonly [PathElement, FieldSet])[] {
  const entries = [...children];
  return entries.length < 2 ? entries : entries.toSorted(([a], [b]) => comparePathElements(a, b));
}
