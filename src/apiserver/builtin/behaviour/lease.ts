import { asJson, type FieldError, FieldPath, invalid, type KubeObject } from "#machinery";
import { numberAt, objectAt, without } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";

const spec = FieldPath.of("spec");

export const lease: KindRules = {
  behaviour: {
    unconditionalUpdate: false,
    createOnUpdate: true,
    prepareForCreate: withoutCoordination,
    prepareForUpdate: withoutCoordination,
    validate: specProblems,
    validateUpdate: specProblems,
  },
};

/** Fields of coordinated leader election are dropped by a server that does not take part in it. */
function withoutCoordination(object: KubeObject): KubeObject {
  const old = objectAt(asJson(object), "spec");
  const kept = without(old, "strategy", "preferredHolder");
  return kept === old ? object : { ...object, spec: kept };
}

function specProblems(object: KubeObject): readonly FieldError[] {
  const duration = numberAt(object, "spec", "leaseDurationSeconds");
  const transitions = numberAt(object, "spec", "leaseTransitions");
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalid(spec.child("leaseDurationSeconds"), duration, "must be greater than 0")]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalid(spec.child("leaseTransitions"), transitions, "must be greater than or equal to 0")]
      : []),
  ];
}
