import type { CustomResourceDefinition } from "../crd/definition.ts";
import { apiVersionOf, type GroupVersionKind, type GroupVersionResource } from "../group-version-kind.ts";
import type { KubeObject, ObjectMeta } from "../object.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { KindDeclaration, VersionDeclaration } from "./declaration.ts";
import { definitionOf } from "./definition-of.ts";
import type { Fields, Flat, MembersOf } from "./field.ts";
import { propertiesOf } from "./schema-builders.ts";

/** A declared kind: what code that handles any kind needs to know, and the type of its objects. */
export interface Kind<Obj extends KubeObject = KubeObject> extends GroupVersionKind {
  readonly apiVersion: string;
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  readonly declaration: KindDeclaration;
  /** The structural schema of the stored version. */
  schema(): JsonSchema;
  /** The CustomResourceDefinition that makes a server serve the kind. */
  crd(): CustomResourceDefinition;
  /** True for an object of this kind and version; a server has checked that it fits the schema. */
  is(object: KubeObject): object is Obj;
}

/** The type of the objects of a kind. */
export type ObjectOf<K> = K extends Kind<infer Obj> ? Obj : never;

type ObjectWith<Group extends string, Version extends string, Name extends string, F extends Fields> = Flat<
  {
    readonly apiVersion: Group extends "" ? Version : `${Group}/${Version}`;
    readonly kind: Name;
    readonly metadata: ObjectMeta;
  } & MembersOf<F>
>;

/** Declares a kind once: its type, its schema, its CustomResourceDefinition and its documentation follow from it. */
export function defineKind<
  const Group extends string,
  const Version extends string,
  const Name extends string,
  const F extends Fields,
>(declaration: KindDeclaration<Group, Version, Name, F>): Kind<ObjectWith<Group, Version, Name, F>> {
  const { group, version, kind, plural, scope = "Namespaced" } = declaration;
  const apiVersion = apiVersionOf({ group, version });
  let schema: JsonSchema | undefined;
  let crd: CustomResourceDefinition | undefined;
  return {
    group,
    version,
    kind,
    apiVersion,
    resource: { group, version, resource: plural },
    namespaced: scope === "Namespaced",
    declaration,
    schema: () => (schema ??= schemaOf(declaration)),
    crd: () => (crd ??= definitionOf(declaration, schemaOf)),
    is: (object): object is ObjectWith<Group, Version, Name, F> =>
      object.apiVersion === apiVersion && object.kind === kind,
  };
}

/** The schema of a whole object of one version. */
function schemaOf({ description, fields, requiresMetadata = false }: VersionDeclaration): JsonSchema {
  const required = [
    ...(requiresMetadata ? ["metadata"] : []),
    ...Object.keys(fields).filter((name) => fields[name]?.isOptional === false),
  ];
  return {
    description,
    type: "object",
    properties: {
      apiVersion: { description: "The group and version that this object is written in.", type: "string" },
      kind: { description: "The kind of this object.", type: "string" },
      // A server knows metadata by itself and refuses to be told anything about it, even a sentence.
      metadata: { type: "object" },
      ...propertiesOf(fields),
    },
    ...(required.length === 0 ? {} : { required }),
  };
}
