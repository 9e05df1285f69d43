/** A type as the checker knows it. */
export interface Type {
  readonly kind: TypeKind;
  /** As programs see it; for a parameter, its name. */
  readonly name: string;
  readonly parameters: readonly Type[];
}

export type TypeKind =
  | "dyn"
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "duration"
  | "timestamp"
  | "list"
  | "map"
  | "type"
  | "opaque"
  | "struct"
  | "parameter";

export const dynType = plain("dyn", "dyn");
export const errorType = plain("error", "!error!");
export const nullType = plain("null", "null_type");
export const boolType = plain("bool", "bool");
export const intType = plain("int", "int");
export const uintType = plain("uint", "uint");
export const doubleType = plain("double", "double");
export const stringType = plain("string", "string");
export const bytesType = plain("bytes", "bytes");
export const durationType = plain("duration", "google.protobuf.Duration");
export const timestampType = plain("timestamp", "google.protobuf.Timestamp");

export function listType(element: Type): Type {
  return { kind: "list", name: "list", parameters: [element] };
}

export function mapType(key: Type, value: Type): Type {
  return { kind: "map", name: "map", parameters: [key, value] };
}

export function typeType(of?: Type): Type {
  return { kind: "type", name: "type", parameters: of === undefined ? [] : [of] };
}

export function optionalType(of: Type): Type {
  return { kind: "opaque", name: "optional_type", parameters: [of] };
}

/** A library's own type without fields, told apart from a struct in how costs of equality are estimated. */
export function opaqueType(name: string, ...parameters: readonly Type[]): Type {
  return { kind: "opaque", name, parameters };
}

export function structType(name: string): Type {
  return plain("struct", name);
}

export function parameterType(name: string): Type {
  return plain("parameter", name);
}

function plain(kind: TypeKind, name: string): Type {
  return { kind, name, parameters: [] };
}

/** A type as error texts print it. */
export function describeType(type: Type): string {
  const { kind, name, parameters } = type;
  if (kind === "null" || kind === "duration" || kind === "timestamp") return kind;
  return parameters.length === 0 ? name : `${name}(${parameters.map(describeType).join(", ")})`;
}

export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, index) => sameType(parameter, b.parameters[index] ?? errorType));
}

const open = new WeakMap<Type, boolean>();

/** True where a type mentions parameters. Remembered, because types of types grow fast. */
export function isOpen(type: Type): boolean {
  if (type.parameters.length === 0) return type.kind === "parameter";
  const known = open.get(type);
  if (known !== undefined) return known;
  const found = type.parameters.some(isOpen);
  open.set(type, found);
  return found;
}

export function isOptionalType(type: Type): boolean {
  return type.kind === "opaque" && type.name === "optional_type";
}

/** What an optional type holds; any other type is itself. */
export function unwrapOptional(type: Type): Type {
  return isOptionalType(type) ? (type.parameters[0] ?? dynType) : type;
}
