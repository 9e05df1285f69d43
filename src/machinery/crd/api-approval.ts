import { quote } from "#base";
import { type FieldError, invalid, required } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { isRequestUri } from "../schema/formats/uri.ts";
import type { CustomResourceDefinition, DefinitionCondition } from "./definition.ts";

const annotation = "api-approved.kubernetes.io";
const seeAlso = "see https://github.com/kubernetes/enhancements/pull/1111";

type State = "invalid" | "approved" | "bypassed" | "missing";

/** Refuses definitions in groups of the Kubernetes community that say nothing about their approval. */
export function approvalErrors(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  if (!isProtected(definition.spec.group)) return [];
  const { state, reason } = approvalOf(definition);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const at = FieldPath.of("metadata", "annotations").key(annotation);
  if (state === "missing") return [required(at, reason)];
  return state === "invalid" ? [invalid(at, definition.metadata.annotations?.[annotation], reason)] : [];
}

/** The condition of a definition in such a group; undefined in all other groups. */
export function approvalCondition(definition: CustomResourceDefinition): DefinitionCondition | undefined {
  if (!isProtected(definition.spec.group)) return undefined;
  const { state, reason } = approvalOf(definition);
  const reasons = {
    invalid: "InvalidAnnotation",
    missing: "MissingAnnotation",
    approved: "ApprovedAnnotation",
    bypassed: "UnapprovedAnnotation",
  };
  const status = state === "approved" ? "True" : "False";
  return { type: "KubernetesAPIApprovalPolicyConformant", status, reason: reasons[state], message: reason };
}

/** True for groups that belong to the Kubernetes community; `x-k8s.io` is free for all. */
function isProtected(group: string): boolean {
  return ["k8s.io", "kubernetes.io"].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

function approvalOf({ metadata }: CustomResourceDefinition): { readonly state: State; readonly reason: string } {
  const text = metadata.annotations?.[annotation] ?? "";
  const must = `protected groups must have approval annotation ${quote(annotation)}`;
  if (text === "") return { state: "missing", reason: `${must}, ${seeAlso}` };
  if (text.startsWith("unapproved")) return { state: "bypassed", reason: `not approved: ${quote(text)}` };
  if (isRequestUri(text) && /^[^/:]+:\/\/[^/]/.test(text)) return { state: "approved", reason: `approved in ${text}` };
  const either = 'with either a URL or a reason starting with "unapproved"';
  return { state: "invalid", reason: `${must} ${either}, ${seeAlso}` };
}
