import { type FieldError, FieldPath, type Json, type KubeObject, required } from "#machinery";
import { isSet, numberAt, objectAt, textMap, textAt, withSpec } from "../object-fields.ts";
import { checked, fixed, needs } from "./checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { podSpecProblems } from "./pod.ts";

export const job: KindRules = {
  selectableFields: ["status.successful"],
  behaviour: {
    countsGenerations: true,
    prepareForCreate: selectingItsOwn,
    // The field is called otherwise than what it selects by.
    selectableValue: (object, field) =>
      field === "status.successful" ? String(numberAt(object, "status", "succeeded") ?? 0) : undefined,
    ...checked(
      [(object) => templateProblems(objectAt(object, "spec"), FieldPath.of("spec"))],
      [fixed("spec.completions"), fixed("spec.selector"), fixedTemplate, fixed("spec.completionMode")],
    ),
  },
};

export const cronJob: KindRules = {
  behaviour: {
    countsGenerations: true,
    ...checked([
      needs("spec.schedule"),
      (object) =>
        templateProblems(objectAt(object, "spec", "jobTemplate", "spec"), FieldPath.of("spec", "jobTemplate", "spec")),
    ]),
  },
};

/** A job that has not begun can still be told where to run. */
function fixedTemplate(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const begun = isSet(old, "status", "startTime") || objectAt(old, "spec")["suspend"] !== true;
  return begun ? fixed("spec.template")(object, old) : [];
}

function templateProblems(spec: Json, at: FieldPath): readonly FieldError[] {
  const template = at.child("template", "spec");
  const policy = textAt(spec, "template", "spec", "restartPolicy");
  return [
    ...podSpecProblems(objectAt(spec, "template", "spec"), template),
    ...(policy === "OnFailure" || policy === "Never"
      ? []
      : [required(template.child("restartPolicy"), 'valid values: "OnFailure", "Never"')]),
  ];
}

/** A job finds its pods by its own uid, so that no other job's pods are taken for them. */
function selectingItsOwn(object: KubeObject): KubeObject {
  const { name = "", uid = "" } = object.metadata;
  if (objectAt(object, "spec")["manualSelector"] === true || uid === "") return object;
  const template = objectAt(object, "spec", "template");
  const metadata = objectAt(template, "metadata");
  const labels = {
    ...textMap(objectAt(metadata, "labels")),
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
  const { labels: own = {} } = object.metadata;
  const labelled = Object.keys(own).length === 0 ? { ...object, metadata: { ...object.metadata, labels } } : object;
  return withSpec(labelled, {
    selector: { matchLabels: { "batch.kubernetes.io/controller-uid": uid } },
    template: { ...template, metadata: { ...metadata, labels } },
  });
}
