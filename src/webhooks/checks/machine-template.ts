import { annotations, labels, type MachineSpec, type TemplateMetadata } from "#api";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  type LabelSelector,
  type Labels,
  labelValueOf,
  required,
  validateAnnotations,
  validateLabels,
} from "#machinery";
import type { Incomplete } from "../webhook.ts";
import { withV } from "./version.ts";

const spec = FieldPath.of("spec");

/** What sets, deployments and pools have in common. */
export interface MachineOwner {
  readonly metadata: { readonly annotations?: { readonly [key: string]: string } };
  readonly spec: {
    readonly clusterName: string;
    readonly template: { readonly metadata?: TemplateMetadata; readonly spec: MachineSpec };
  };
}

/** Bootstrap data comes from somewhere. */
export function bootstrapErrors(bootstrap: MachineSpec["bootstrap"], at: FieldPath): readonly FieldError[] {
  const { configRef, dataSecretName } = bootstrap;
  if (configRef !== undefined || dataSecretName !== undefined) return [];
  const path = at.toString();
  return [required(at, `expected either ${path}.dataSecretName or ${path}.configRef to be populated`)];
}

/** The Cluster of an object stays the same. */
export function clusterNameErrors(
  old: { readonly spec: { readonly clusterName: string } } | undefined,
  { spec: { clusterName } }: { readonly spec: { readonly clusterName: string } },
): readonly FieldError[] {
  if (old === undefined || old.spec.clusterName === clusterName) return [];
  return [forbidden(spec.child("clusterName"), "field is immutable")];
}

/** The Machines belong to the Cluster of their owner. */
export function templateClusterErrors({ spec: { clusterName, template } }: MachineOwner): readonly FieldError[] {
  if (clusterName === template.spec.clusterName) return [];
  const why = "spec.clusterName and spec.template.spec.clusterName must be set to the same value";
  return [invalid(spec.child("clusterName"), clusterName, why)];
}

/** Labels and annotations that are handed on have to be allowed ones. */
export function templateMetadataErrors(metadata: TemplateMetadata | undefined, at: FieldPath): readonly FieldError[] {
  return [
    ...validateLabels(metadata?.labels ?? {}, at.child("labels")),
    ...validateAnnotations(metadata?.annotations ?? {}, at.child("annotations")),
  ];
}

const preflightChecks = [
  "All",
  "ControlPlaneIsStable",
  "ControlPlaneVersionSkew",
  "KubeadmVersionSkew",
  "KubernetesVersionSkew",
];

/** Only checks that there are can be left out. */
export function skippedChecksErrors({ metadata }: MachineOwner): readonly FieldError[] {
  const skipped = metadata.annotations?.[annotations.skipPreflightChecks] ?? "";
  if (skipped === "") return [];
  const unknown = skipped
    .split(",")
    .map((check) => check.trim())
    .filter((check) => !preflightChecks.includes(check));
  if (unknown.length === 0) return [];
  const why = `skipped preflight check(s) must be among: [${preflightChecks.join(" ")}]`;
  return [invalid(FieldPath.of("metadata", "annotations", annotations.skipPreflightChecks), unknown, why)];
}

interface Selecting {
  readonly selector?: LabelSelector;
  readonly template?: { readonly metadata?: { readonly labels?: Labels } };
}

/** Where nothing is selected, the name of the owner is: as a label of the Machines and in the selector. */
export function selectByName<Spec extends Incomplete<Selecting>>(
  owner: Spec,
  { label, name }: { readonly label: string; readonly name: string },
): Spec {
  const { matchLabels = {}, matchExpressions = [] } = owner.selector ?? {};
  if (Object.keys(matchLabels).length > 0 || matchExpressions.length > 0) return owner;
  return selectLabel(owner, label, labelValueOf(name));
}

/** Adds a label to the Machines and to the selector. */
export function selectLabel<Spec extends Incomplete<Selecting>>(owner: Spec, label: string, value: string): Spec {
  const { selector, template } = owner;
  return {
    ...owner,
    selector: { ...selector, matchLabels: { ...selector?.matchLabels, [label]: value } },
    template: {
      ...template,
      metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, [label]: value } },
    },
  };
}

/** The labels of an object with the name of its Cluster. */
export function withClusterLabel<Obj extends { readonly metadata?: { readonly labels?: Labels } }>(
  object: Obj,
  clusterName: string | undefined,
): Obj {
  if (clusterName === undefined) return object;
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata?.labels, [labels.clusterName]: clusterName } } };
}

/** The spec of a machine with a v in front of its version. */
export function withVersionPrefix<Spec extends { readonly version?: string }>(machine: Spec): Spec {
  return machine.version === undefined ? machine : { ...machine, version: withV(machine.version) };
}

/** How long deleting the Node is tried, if nobody says otherwise. */
const nodeDeletionTimeoutSeconds = 10;

/** The spec of a machine with a limit for deleting its Node. */
export function withNodeDeletionTimeout<Spec extends { readonly deletion?: object }>(machine: Spec): Spec {
  return { ...machine, deletion: { nodeDeletionTimeoutSeconds, ...machine.deletion } };
}
