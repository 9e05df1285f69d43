import { type FieldError, FieldPath, type JsonObject, type KubeObject, required } from "#machinery";
import { listAt, objectAt, textAt, withSpec } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { labelNamesFromLetter } from "./names.ts";

const families = ["IPv4", "IPv6"];

/** No address is given out: there is no network that could carry it. */
export const service: KindRules = {
  behaviour: {
    nameProblems: labelNamesFromLetter,
    createOnUpdate: true,
    prepareForCreate: (object) => withSpec(object, addresses(objectAt(object, "spec"))),
    validate: portProblems,
    validateUpdate: portProblems,
  },
  selectableFields: ["spec.clusterIP", "spec.type"],
};

function addresses(spec: JsonObject): JsonObject {
  if (textAt(spec, "clusterIP") !== "None") return {};
  // Without a selector the addresses are somebody else's, who may have them of both kinds.
  const selected = Object.keys(objectAt(spec, "selector")).length > 0;
  return {
    clusterIPs: ["None"],
    ipFamilies: selected ? families.slice(0, 1) : families,
    ipFamilyPolicy: selected ? "SingleStack" : "RequireDualStack",
  };
}

function portProblems(object: KubeObject): readonly FieldError[] {
  const spec = objectAt(object, "spec");
  const needless = textAt(spec, "clusterIP") === "None" || textAt(spec, "type") === "ExternalName";
  return needless || listAt(spec, "ports").length > 0 ? [] : [required(FieldPath.of("spec", "ports"))];
}
