import { asJson, compileSchema, type CompiledSchema, type Kind, type KubeObject } from "#machinery";

const compiled = new WeakMap<Kind, CompiledSchema>();

/** True where an object has everything that the schema of its kind asks for. */
export function isComplete<Obj extends KubeObject>(kind: Kind<Obj>, object: KubeObject): object is Obj {
  return kind.is(object) && schemaOf(kind).accepts(asJson(object));
}

/** True where what is there has the types of the schema; something may be missing or out of bounds. */
export function hasRightTypes(kind: Kind, object: KubeObject): boolean {
  const schema = schemaOf(kind);
  const json = asJson(object);
  return schema.accepts(json) || schema.validate(json).every(({ type }) => type !== "FieldValueTypeInvalid");
}

function schemaOf(kind: Kind): CompiledSchema {
  const known = compiled.get(kind) ?? compileSchema(kind.schema());
  compiled.set(kind, known);
  return known;
}
