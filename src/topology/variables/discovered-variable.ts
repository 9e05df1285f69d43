import type { ClusterClassVariable } from "#api";
import { fieldAt, isJsonObject, type Json, type JsonObject, member } from "#machinery";
import { withEveryFlag, withoutFalseFlags } from "./schema-nodes.ts";

/** Reads a variable of an extension's answer; undefined where it has no v1beta2 form. */
export type VariableReader = (variable: unknown) => ClusterClassVariable | undefined;

/** Reads a variable in the shape of v1beta1 or in that of v1beta2; only the former has `metadata`. */
export const readVariable: VariableReader = (variable) => {
  if (!isJsonObject(variable)) return undefined;
  const isOld = member(variable, "metadata") !== undefined;
  const read = isOld ? readV1Beta1Variable(variable) : readV1Beta2Variable(variable);
  // An answer may leave out whether the variable is required; the status of a ClusterClass may not.
  return read && { ...read, required: member(variable, "required") === true };
};

/** Reads a variable of v1beta1: converted, then without the flags that mean nothing. */
export const readV1Beta1Variable: VariableReader = (variable) => {
  if (!isJsonObject(variable)) return undefined;
  const converted = convertVariable(variable);
  return checkedLater({ ...converted, schema: { openAPIV3Schema: withoutFalseFlags(schemaIn(converted)) } });
};

/** Reads a variable of v1beta2 as it is. */
export const readV1Beta2Variable: VariableReader = (variable) => {
  if (!isJsonObject(variable)) return undefined;
  const { name = "", required, deprecatedV1Beta1Metadata } = variable;
  return checkedLater({
    name,
    ...(required === undefined ? {} : { required }),
    ...metadataFrom(deprecatedV1Beta1Metadata),
    schema: { openAPIV3Schema: schemaIn(variable) },
  });
};

/** The v1beta2 form of a variable of v1beta1, with every flag of its schema written out. */
export function convertVariable(variable: JsonObject): JsonObject {
  const { name = "", required, metadata } = variable;
  return {
    name,
    required: required === true,
    ...metadataFrom(metadata),
    schema: { openAPIV3Schema: withEveryFlag(schemaIn(variable)) },
  };
}

/** Metadata that says nothing is none. */
function metadataFrom(metadata: Json | undefined): JsonObject {
  if (!isJsonObject(metadata)) return {};
  const said = ["labels", "annotations"].flatMap((part) => {
    const texts = member(metadata, part);
    return isJsonObject(texts) && Object.keys(texts).length > 0 ? [[part, texts] as const] : [];
  });
  return said.length === 0 ? {} : { deprecatedV1Beta1Metadata: Object.fromEntries(said) };
}

function schemaIn(variable: JsonObject): JsonObject {
  const schema = fieldAt(variable, "schema", "openAPIV3Schema");
  return isJsonObject(schema) ? schema : {};
}

function checkedLater(variable: JsonObject): ClusterClassVariable {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is wrong inside is found by validateDefinitions, which trusts nothing
  return variable as unknown as ClusterClassVariable;
}
