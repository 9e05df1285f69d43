import {
  compileLabelSelector,
  deepEqual,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  type KubeObject,
  type LabelSelector,
  required,
} from "#machinery";
import { readSelector, selectorProblems } from "../label-selectors.ts";
import { isSet, objectAt, textMap, without } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { labelNames } from "./names.ts";
import { podSpecProblems } from "./pod.ts";

const generationAnnotation = "deprecated.daemonset.template.generation";
const selectorPath = FieldPath.of("spec", "selector");
const templatePath = FieldPath.of("spec", "template");

const replicas = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};
const behaviour = {
  countsGenerations: true,
  validate: templateProblems,
  validateUpdate: (object: KubeObject, old: KubeObject) => [
    ...templateProblems(object),
    ...selectorChange(object, old),
  ],
};

export const deployment: KindRules = { behaviour, scale: replicas };

export const replicaSet: KindRules = { behaviour, scale: replicas };

const changeable = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

export const statefulSet: KindRules = {
  behaviour: {
    ...behaviour,
    nameProblems: labelNames,
    validateUpdate: (object, old) => [...templateProblems(object), ...fixedSpec(object, old)],
  },
  scale: replicas,
};

export const daemonSet: KindRules = {
  behaviour: {
    ...behaviour,
    prepareForCreate: (object) => withGeneration(object, 1),
    prepareForUpdate(object, old, subresource) {
      const before = Number(old.metadata.annotations?.[generationAnnotation] ?? 0);
      const same =
        subresource !== "" || deepEqual(objectAt(object, "spec", "template"), objectAt(old, "spec", "template"));
      return withGeneration(object, same ? before : before + 1);
    },
  },
};

function withGeneration(object: KubeObject, generation: number): KubeObject {
  const annotations = { ...object.metadata.annotations, [generationAnnotation]: String(generation) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function templateProblems(object: KubeObject): readonly FieldError[] {
  return [
    ...selectorOf(object),
    ...podSpecProblems(objectAt(object, "spec", "template", "spec"), templatePath.child("spec")),
  ];
}

function selectorOf(object: KubeObject): readonly FieldError[] {
  if (!isSet(object, "spec", "selector")) return [required(selectorPath), ...labelsProblems(object, undefined)];
  const selector = objectAt(object, "spec", "selector");
  const problems = selectorProblems(selector, selectorPath);
  if (problems.length > 0) return problems;
  if (Object.keys(selector).length === 0) {
    return [invalid(selectorPath, selector, `empty selector is invalid for ${object.kind.toLowerCase()}`)];
  }
  return labelsProblems(object, readSelector(selector));
}

/** The pods of a template must be those that the selector finds. */
function labelsProblems(object: KubeObject, selector: LabelSelector | undefined): readonly FieldError[] {
  const labels = objectAt(object, "spec", "template", "metadata", "labels");
  if (compileLabelSelector(selector).matches(textMap(labels))) return [];
  const shown = Object.keys(labels).length === 0 ? null : labels;
  return [invalid(templatePath.child("metadata", "labels"), shown, "`selector` does not match template `labels`")];
}

function fixedSpec(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectAt(object, "spec"), objectAt(old, "spec")];
  if (deepEqual(without(spec, ...changeable), without(oldSpec, ...changeable))) return [];
  const [last = "", ...others] = changeable.map((name) => `'${name}'`).toReversed();
  const allowed = `${others.toReversed().join(", ")} and ${last}`;
  return [
    forbidden(FieldPath.of("spec"), `updates to statefulset spec for fields other than ${allowed} are forbidden`),
  ];
}

function selectorChange(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const selector = objectAt(object, "spec", "selector");
  return deepEqual(selector, objectAt(old, "spec", "selector"))
    ? []
    : [invalid(selectorPath, selector, "field is immutable")];
}
