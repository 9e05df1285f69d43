import { type FieldError, invalid, tooLong } from "../../field-error.ts";
import type { FieldPath } from "../../field-path.ts";
import { kindOf } from "../../group-version-kind.ts";
import type { Json } from "../../json.ts";
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from "../../object.ts";
import {
  labelKeyProblems,
  labelProblems,
  labelValueProblems,
  pathPrefixProblems,
  pathSegmentProblems,
} from "./name-rules.ts";

const mostAnnotationBytes = 256 * 1024;

/** What is wrong with the metadata of an embedded resource, whose name and namespace nobody demands. */
export function embeddedMetadataErrors(metadata: ObjectMeta, path: FieldPath): readonly FieldError[] {
  const { name = "", generateName = "", namespace = "", generation = 0 } = metadata;
  return [
    ...invalidFor(
      path.child("generateName"),
      generateName,
      generateName === "" ? [] : pathPrefixProblems(generateName),
    ),
    ...invalidFor(path.child("name"), name, name === "" ? [] : pathSegmentProblems(name)),
    ...invalidFor(path.child("namespace"), namespace, namespace === "" ? [] : labelProblems(namespace)),
    ...(generation < 0 ? [invalid(path.child("generation"), generation, "must be greater than or equal to 0")] : []),
    ...labelErrors(metadata.labels ?? {}, path.child("labels")),
    ...annotationErrors(metadata.annotations ?? {}, path.child("annotations")),
    ...ownerErrors(metadata.ownerReferences ?? [], path.child("ownerReferences")),
    ...finalizerErrors(metadata.finalizers ?? [], path.child("finalizers")),
    ...managedFieldsErrors(metadata.managedFields ?? [], path.child("managedFields")),
  ];
}

/** What is wrong with labels, all at the path of the map. */
export function labelErrors(labels: { readonly [key: string]: string }, path: FieldPath): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...invalidFor(path, key, labelKeyProblems(key)),
    ...invalidFor(path, value, labelValueProblems(value)),
  ]);
}

/** What is wrong with annotations: their keys, in any case, and their size together. */
export function annotationErrors(
  annotations: { readonly [key: string]: string },
  path: FieldPath,
): readonly FieldError[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => invalidFor(path, key, labelKeyProblems(key.toLowerCase()))),
    ...(bytes > mostAnnotationBytes ? [tooLong(path, mostAnnotationBytes)] : []),
  ];
}

function ownerErrors(owners: readonly OwnerReference[], path: FieldPath): readonly FieldError[] {
  const controllers = owners.filter(({ controller }) => controller === true).map(({ kind, name }) => `${kind}/${name}`);
  const [first] = controllers;
  const printed: Json = owners.map((owner) => ({ ...owner }));
  return [
    ...owners.flatMap((owner) => ownerError(owner, path)),
    ...controllers.slice(1).map((other) => {
      const found = `Found "true" in references for ${first} and ${other}`;
      return invalid(path, printed, `Only one reference can have Controller set to true. ${found}`);
    }),
  ];
}

function ownerError(owner: OwnerReference, path: FieldPath): readonly FieldError[] {
  const { version, group, kind } = kindOf(owner);
  const banned = group === "" && version === "v1" && kind === "Event";
  return [
    ...(version === "" ? [invalid(path.child("apiVersion"), owner.apiVersion, "version must not be empty")] : []),
    ...(owner.kind === "" ? [invalid(path.child("kind"), owner.kind, "must not be empty")] : []),
    ...(owner.name === "" ? [invalid(path.child("name"), owner.name, "must not be empty")] : []),
    ...(owner.uid === "" ? [invalid(path.child("uid"), owner.uid, "must not be empty")] : []),
    ...(banned ? [invalid(path, { ...owner }, "/v1, Kind=Event is disallowed from being an owner")] : []),
  ];
}

function finalizerErrors(finalizers: readonly string[], path: FieldPath): readonly FieldError[] {
  const both = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  return [
    ...finalizers.flatMap((finalizer) => invalidFor(path, finalizer, labelKeyProblems(finalizer))),
    ...(both ? [invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set")] : []),
  ];
}

function managedFieldsErrors(entries: readonly ManagedFieldsEntry[], path: FieldPath): readonly FieldError[] {
  return entries.flatMap(({ operation = "", fieldsType = "", subresource = "" }, index) => {
    const at = path.index(index);
    const known = operation === "Apply" || operation === "Update";
    return [
      ...(known ? [] : [invalid(at.child("operation"), operation, "must be `Apply` or `Update`")]),
      ...(fieldsType === "" || fieldsType === "FieldsV1"
        ? []
        : [invalid(at.child("fieldsType"), fieldsType, "must be `FieldsV1`")]),
      ...(subresource.length > 256 ? [tooLong(at.child("subresource"), 256)] : []),
    ];
  });
}

function invalidFor(path: FieldPath, value: string, problems: readonly string[]): readonly FieldError[] {
  return problems.map((problem) => invalid(path, value, problem));
}
