import {
  ApiError,
  asJson,
  type FieldError,
  FieldPath,
  invalid,
  invalidObject,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  PrintedValue,
  required,
} from "#machinery";
import { textsIn } from "../rbac/policy-rule.ts";
import { objectIn, textIn } from "./answered-resource.ts";

/** Whom an access review may be about, and where. */
export type ReviewScope = "anyone" | "in-namespace" | "oneself";

/** Throws an ApiError 422 for an access review that cannot be answered. */
export function checkAccessReview(review: KubeObject, scope: ReviewScope): void {
  const problems = [
    ...specProblems(objectIn(review, "spec"), scope),
    ...metadataProblems(review),
    ...(scope === "in-namespace" ? namespaceProblems(review) : []),
  ];
  if (problems.length > 0) throw namelessRefusal(problems);
}

function specProblems(spec: JsonObject, scope: ReviewScope): readonly FieldError[] {
  const at = FieldPath.of("spec");
  const [resource, path] = [spec["resourceAttributes"], spec["nonResourceAttributes"]].map(partOf);
  const problems: FieldError[] = [];
  if (resource !== undefined && path !== undefined) {
    const why = "cannot be specified in combination with resourceAttributes";
    problems.push(invalid(at.child("nonResourceAttributes"), printedPath(path), why));
  }
  if (resource === undefined && path === undefined) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    problems.push(invalid(at.child("resourceAttributes"), null, why));
  }
  if (scope !== "oneself" && textIn(spec, "user") === "" && textsIn(spec, "groups").length === 0) {
    problems.push(invalid(at.child("user"), "", "at least one of user or group must be specified"));
  }
  if (resource !== undefined) {
    const within = at.child("resourceAttributes");
    for (const field of ["fieldSelector", "labelSelector"]) {
      problems.push(...selectorProblems(partOf(resource[field]), within.child(field)));
    }
  }
  return problems;
}

function selectorProblems(selector: JsonObject | undefined, at: FieldPath): readonly FieldError[] {
  if (selector === undefined) return [];
  const raw = textIn(selector, "rawSelector");
  const requirements = selector["requirements"];
  const counted = Array.isArray(requirements) ? requirements.length : 0;
  if (raw !== "" && counted > 0) {
    return [invalid(at.child("rawSelector"), raw, "may not specified at the same time as requirements")];
  }
  if (raw === "" && counted === 0) {
    const why = `when ${at.toString()} is specified, requirements or rawSelector is required`;
    return [required(at.child("requirements"), why)];
  }
  return [];
}

/** Nothing but the namespace may be told of something that is not kept. */
function metadataProblems({ metadata }: KubeObject): readonly FieldError[] {
  const { namespace: _, managedFields: _managers, ...rest } = metadata;
  if (Object.keys(rest).length === 0) return [];
  return [
    invalid(FieldPath.of("metadata"), asJson({ apiVersion: "", kind: "", metadata })["metadata"], "must be empty"),
  ];
}

function namespaceProblems(review: KubeObject): readonly FieldError[] {
  const spec = objectIn(review, "spec");
  const path = partOf(spec["nonResourceAttributes"]);
  if (path !== undefined) {
    const at = FieldPath.of("spec", "nonResourceAttributes");
    return [invalid(at, printedPath(path), "disallowed on this kind of request")];
  }
  const given = textIn(objectIn(spec, "resourceAttributes"), "namespace");
  if (partOf(spec["resourceAttributes"]) === undefined || given === review.metadata.namespace) return [];
  return [invalid(FieldPath.of("spec", "resourceAttributes", "namespace"), given, "must match metadata.namespace")];
}

/** The real server prints its own struct here, whose fields have Go's names. */
function printedPath(path: JsonObject): PrintedValue {
  return new PrintedValue(JSON.stringify({ Path: textIn(path, "path"), Verb: textIn(path, "verb") }));
}

function partOf(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The refusal of the real server, which forgets to name the kind. */
function namelessRefusal(problems: readonly FieldError[]): ApiError {
  const { status } = invalidObject({ group: "authorization.k8s.io", kind: "" }, "", problems);
  const { kind: _, ...details } = status.details ?? {};
  return new ApiError({ httpCode: 422, reason: "Invalid", message: status.message ?? "", details });
}
