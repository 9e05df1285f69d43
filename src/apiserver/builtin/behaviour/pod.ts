import { type FieldError, FieldPath, type Json, type KubeObject, required } from "#machinery";
import { listAt, objectAt, textAt, withStatus } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";

export const pod: KindRules = {
  behaviour: {
    countsGenerations: true,
    prepareForCreate: (object) => withStatus(object, { phase: "Pending", qosClass: serviceClass(object) }),
    selectableValue: (object, field) =>
      field === "spec.hostNetwork" ? String(objectAt(object, "spec")["hostNetwork"] === true) : undefined,
    validate: (object) => podSpecProblems(objectAt(object, "spec"), FieldPath.of("spec")),
  },
  selectableFields: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
};

/** What no pod can do without. */
export function podSpecProblems(spec: Json, at: FieldPath): readonly FieldError[] {
  const containers = listAt(spec, "containers");
  if (containers.length === 0) return [required(at.child("containers"))];
  return containers.flatMap((container, index) => {
    const here = at.child("containers").index(index);
    return ["name", "image"]
      .filter((field) => textAt(container, field) === "")
      .map((field) => required(here.child(field)));
  });
}

function amount(container: Json, side: "limits" | "requests", resource: string): string {
  return textAt(container, "resources", side, resource);
}

/** How well a pod is treated when resources run short: the more exactly it says what it takes, the better. */
function serviceClass(object: KubeObject): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = ["containers", "initContainers"].flatMap((name) => listAt(object, "spec", name));
  const resources = ["cpu", "memory"];
  const silent = containers.every((container) =>
    resources.every((each) => amount(container, "limits", each) === "" && amount(container, "requests", each) === ""),
  );
  if (silent) return "BestEffort";
  const exact = containers.every((container) =>
    resources.every((each) => {
      const limit = amount(container, "limits", each);
      return limit !== "" && limit === amount(container, "requests", each);
    }),
  );
  return exact ? "Guaranteed" : "Burstable";
}
