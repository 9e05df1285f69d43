import {
  encodeJson,
  type FieldError,
  FieldPath,
  invalid,
  type Json,
  type JsonObject,
  type KubeObject,
  notSupported,
  PrintedValue,
} from "#machinery";
import { selectorProblems } from "../label-selectors.ts";
import { isSet, objectAt, textAt } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";

const spec = FieldPath.of("spec");
const policies = ["AlwaysAllow", "IfHealthyBudget"];
const percentage = /^[0-9]+%$/;

export const podDisruptionBudget: KindRules = {
  behaviour: {
    unconditionalUpdate: false,
    countsGenerations: true,
    validate: specProblems,
    validateUpdate: specProblems,
  },
};

function specProblems(object: KubeObject): readonly FieldError[] {
  const given = objectAt(object, "spec");
  const both = isSet(given, "minAvailable") && isSet(given, "maxUnavailable");
  const policy = textAt(given, "unhealthyPodEvictionPolicy");
  return [
    ...(both ? [invalid(spec, goSpec(given), "minAvailable and maxUnavailable cannot be both set")] : []),
    ...countProblems(given["minAvailable"], spec.child("minAvailable")),
    ...countProblems(given["maxUnavailable"], spec.child("maxUnavailable")),
    ...selectorProblems(given["selector"], spec.child("selector")),
    ...(policy === "" || policies.includes(policy)
      ? []
      : [notSupported(spec.child("unhealthyPodEvictionPolicy"), policy, policies)]),
  ];
}

/** What is wrong with a number of pods, or a share of them. */
export function countProblems(count: Json | undefined, at: FieldPath): readonly FieldError[] {
  if (count === undefined || count === null) return [];
  if (typeof count !== "string") {
    return Number(count) < 0 ? [invalid(at, count, "must be greater than or equal to 0")] : [];
  }
  if (!percentage.test(count)) {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for " +
      "validation is '[0-9]+%')";
    return [invalid(at, count, why)];
  }
  return Number.parseInt(count, 10) > 100 ? [invalid(at, count, "must not be greater than 100%")] : [];
}

/** The real server prints its own struct here, with Go's names in Go's order. */
function goSpec(given: JsonObject): PrintedValue {
  const fields = ["minAvailable", "selector", "maxUnavailable", "unhealthyPodEvictionPolicy"];
  const members = fields.map(
    (name) => `"${name[0]?.toUpperCase()}${name.slice(1)}":${encodeJson(given[name] ?? null)}`,
  );
  return new PrintedValue(`{${members.join(",")}}`);
}
