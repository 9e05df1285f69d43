import { type FieldError, FieldPath, forbidden, invalid, type KubeObject, notSupported } from "#machinery";
import { numberAt, textAt } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { qualifiedNameProblems } from "./qualified-name.ts";

const strategies = ["OldestEmulationVersion"];
const spec = FieldPath.of("spec");

export const lease: KindRules = {
  behaviour: {
    unconditionalUpdate: false,
    createOnUpdate: true,
    validate: specProblems,
    validateUpdate: specProblems,
  },
};

function specProblems(object: KubeObject): readonly FieldError[] {
  const problems: FieldError[] = [];
  const duration = numberAt(object, "spec", "leaseDurationSeconds");
  if (duration !== undefined && duration <= 0) {
    problems.push(invalid(spec.child("leaseDurationSeconds"), duration, "must be greater than 0"));
  }
  const transitions = numberAt(object, "spec", "leaseTransitions");
  if (transitions !== undefined && transitions < 0) {
    problems.push(invalid(spec.child("leaseTransitions"), transitions, "must be greater than or equal to 0"));
  }
  const strategy = textAt(object, "spec", "strategy");
  problems.push(...strategyProblems(strategy));
  if (textAt(object, "spec", "preferredHolder") !== "" && strategy === "") {
    problems.push(forbidden(spec.child("preferredHolder"), "may only be specified if `strategy` is defined"));
  }
  return problems;
}

function strategyProblems(strategy: string): readonly FieldError[] {
  // The real server names the field twice.
  const at = spec.child("strategy", "strategy");
  if (strategy === "" || strategies.includes(strategy)) return [];
  if (!strategy.includes("/")) return [notSupported(at, strategy, strategies)];
  return qualifiedNameProblems(strategy).map((why) => invalid(at, strategy, why));
}
