import type { TemplateMetadata } from "#api";
import { describeKind, kindOf, type KubeObject } from "#machinery";
import { type ContractPath, pathText } from "./contract-path.ts";
import { ContractError } from "./errors.ts";
import { type FieldType, textMap } from "./field-type.ts";
import { nestedField, withNestedField } from "./nested-field.ts";

/** A field of a provider's object that the contract gives a meaning. */
export interface FieldAccessor<Value> {
  readonly path: ContractPath;
  /** The value, or undefined where the object does not say; throws a ContractError on a wrong type. */
  get(object: KubeObject): Value | undefined;
  /** The object with another value, or with none. */
  set(object: KubeObject, value: Value | undefined): KubeObject;
  /** The same field where another version of the contract has it. */
  in(contractVersion: string): FieldAccessor<Value>;
}

/** Where a field stood, and how it was written, in contract v1beta1. */
export interface OlderField<Value> {
  readonly path?: ContractPath;
  readonly type?: FieldType<Value>;
}

/** Declares a field by its path, its type and, where they differ, those of contract v1beta1. */
export function fieldAt<Value>(
  path: ContractPath,
  type: FieldType<Value>,
  older?: OlderField<Value>,
): FieldAccessor<Value> {
  const accessor: FieldAccessor<Value> = accessorOf(path, type, (contractVersion) => {
    if (older === undefined || contractVersion !== "v1beta1") return accessor;
    return fieldAt(older.path ?? path, older.type ?? type);
  });
  return accessor;
}

/** Declares the labels and annotations that a template hands on. */
export function metadataAt(path: ContractPath): FieldAccessor<TemplateMetadata> {
  const labels = fieldAt([...path, "labels"], textMap);
  const annotations = fieldAt([...path, "annotations"], textMap);
  const accessor: FieldAccessor<TemplateMetadata> = {
    path,
    get: (object) => ({ labels: labels.get(object) ?? {}, annotations: annotations.get(object) ?? {} }),
    // An empty map is left out: the server would not store it, and every pass would write it anew.
    set: (object, metadata) =>
      annotations.set(labels.set(object, unlessEmpty(metadata?.labels)), unlessEmpty(metadata?.annotations)),
    in: () => accessor,
  };
  return accessor;
}

function accessorOf<Value>(
  path: ContractPath,
  type: FieldType<Value>,
  inContract: FieldAccessor<Value>["in"],
): FieldAccessor<Value> {
  const at = `.${pathText(path)}`;
  return {
    path,
    get(object) {
      try {
        const value = nestedField(object, path);
        return value === undefined ? undefined : type.read(value, at);
      } catch (cause) {
        throw new ContractError(`failed to get ${at} from object`, { cause });
      }
    },
    set(object, value) {
      try {
        return withNestedField(object, path, value === undefined ? undefined : type.write(value));
      } catch (cause) {
        throw new ContractError(`failed to set path ${at} of object ${describeKind(kindOf(object))}`, { cause });
      }
    },
    in: inContract,
  };
}

function unlessEmpty<Map extends object>(map: Map | undefined): Map | undefined {
  return map === undefined || Object.keys(map).length === 0 ? undefined : map;
}
