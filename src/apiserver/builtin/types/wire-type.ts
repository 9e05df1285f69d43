import type { Json } from "#machinery";
import { packages } from "./data/packages.ts";

/** What a value is where it is not an object with fields of its own. */
export type Scalar =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "double"
  | "bytes"
  | "time"
  | "microTime"
  | "duration"
  | "quantity"
  | "intOrString"
  | "rawExtension"
  | "fieldsV1"
  | "json"
  | "strings"
  | "schemaOrArray"
  | "schemaOrBool"
  | "schemaOrStrings";

/** A type of the Kubernetes API: what JSON, protobuf and the patches need to know of it. */
export interface WireType {
  /** `core/v1.Pod`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, WireField>;
  /** Those of the fields that are written even when they hold nothing. */
  readonly always: readonly WireField[];
  /** Has apiVersion and kind of its own in JSON, though not in protobuf. */
  readonly typed: boolean;
  /** Applied and owned as a whole. */
  readonly atomic: boolean;
}

export interface WireField {
  readonly name: string;
  /** The number in protobuf. */
  readonly number: number;
  /** The numbers of the fields that wrap this one in protobuf, outermost first, where JSON inlines it. */
  readonly via: readonly number[];
  readonly shape: "single" | "list" | "map";
  readonly element: ElementType;
  /** An empty value is a value: only absence is absence. */
  readonly pointer: boolean;
  /** Written even when it holds nothing. */
  readonly always: boolean;
  readonly required: boolean;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly listType?: "atomic" | "set" | "map";
  readonly listKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patchStrategy?: string;
  readonly patchKey?: string;
}

/** Types may hold themselves, so the type of an object is looked up when it is needed. */
export type ElementType =
  | { readonly kind: "scalar"; readonly scalar: Scalar }
  | { readonly kind: "object"; readonly type: () => WireType };

interface StoredType {
  readonly atomic?: true;
  readonly typed?: true;
  readonly fields: Readonly<Record<string, StoredField>>;
}

interface StoredField extends Omit<
  WireField,
  "name" | "via" | "shape" | "element" | "pointer" | "always" | "required"
> {
  readonly via?: readonly number[];
  readonly type: string;
  readonly always?: true;
  readonly required?: true;
}

const scalars: ReadonlySet<string> = new Set<Scalar>([
  "string",
  "bool",
  "int32",
  "int64",
  "double",
  "bytes",
  "time",
  "microTime",
  "duration",
  "quantity",
  "intOrString",
  "rawExtension",
  "fieldsV1",
  "json",
  "strings",
  "schemaOrArray",
  "schemaOrBool",
  "schemaOrStrings",
]);

const tables = new Map<string, Readonly<Record<string, StoredType>>>();
const types = new Map<string, WireType>();

/** The type of a name such as `core/v1.Pod`; undefined where the table has none. */
export function findWireType(name: string): WireType | undefined {
  const known = types.get(name);
  if (known !== undefined) return known;
  const [home, simple] = split(name);
  const table = tableOf(home);
  const stored = table !== undefined && Object.hasOwn(table, simple) ? table[simple] : undefined;
  if (stored === undefined) return undefined;
  const fields = Object.entries(stored.fields).map(([field, entry]) => readField(home, field, entry));
  const type = {
    name,
    fields: new Map(fields.map((field) => [field.name, field])),
    always: fields.filter((field) => field.always),
    typed: stored.typed === true,
    atomic: stored.atomic === true,
  };
  types.set(name, type);
  return type;
}

/** The type of a name that the table is known to have. */
export function wireType(name: string): WireType {
  const type = findWireType(name);
  if (type === undefined) throw new RangeError(`the table of types has no ${name}`);
  return type;
}

function tableOf(home: string): Readonly<Record<string, StoredType>> | undefined {
  const known = tables.get(home);
  if (known !== undefined) return known;
  const text = Object.hasOwn(packages, home) ? packages[home] : undefined;
  if (text === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the data is written by our own tool in this very shape
  const table = JSON.parse(text) as Readonly<Record<string, StoredType>>;
  tables.set(home, table);
  return table;
}

function readField(home: string, name: string, stored: StoredField): WireField {
  const { via = [], type: text, always = false, required = false, ...rest } = stored;
  const [, prefix = "", type = ""] = /^(\*|\[\]|map\[string\])?(.*)$/.exec(text) ?? [];
  const shape = prefix === "[]" ? "list" : prefix.startsWith("map") ? "map" : "single";
  return { name, ...rest, via, always, required, shape, pointer: prefix === "*", element: elementOf(home, type) };
}

function elementOf(home: string, type: string): ElementType {
  if (isScalar(type)) return { kind: "scalar", scalar: type };
  const name = type.includes("/") ? type : `${home}.${type}`;
  let found: WireType | undefined;
  return { kind: "object", type: () => (found ??= wireType(name)) };
}

function isScalar(type: string): type is Scalar {
  return scalars.has(type);
}

function split(name: string): readonly [home: string, simple: string] {
  const dot = name.lastIndexOf(".");
  return [name.slice(0, dot), name.slice(dot + 1)];
}
