import { type FieldError, FieldPath, invalid, type KubeObject, qualifiedNameProblems } from "#machinery";
import { objectAt, textAt, textsAt, withSpec, withStatus } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { labelNames } from "./names.ts";

// The server's own finalizer, which keeps a namespace until all that lives in it is gone.
const own = "kubernetes";
const standard = [own, "orphan", "foregroundDeletion"];
const finalizersPath = FieldPath.of("spec", "finalizers");
const nameLabel = "kubernetes.io/metadata.name";

export const namespace: KindRules = {
  selectableFields: ["status.phase"],
  behaviour: {
    nameProblems: labelNames,
    prepareForCreate(object) {
      const finalizers = textsAt(object, "spec", "finalizers");
      const held = withSpec(labelled(object), {
        finalizers: finalizers.includes(own) ? finalizers : [...finalizers, own],
      });
      return { ...held, status: { phase: "Active" } };
    },
    // The finalizers have an endpoint of their own.
    prepareForUpdate: (object, old, subresource) =>
      subresource === "finalize" ? object : { ...labelled(object), spec: objectAt(old, "spec") },
    validate: (object) => finalizerProblems(object, () => finalizersPath),
    validateUpdate(object, _, subresource) {
      if (subresource === "status") return phaseProblems(object);
      return subresource === "finalize" ? finalizerProblems(object, (index) => finalizersPath.index(index)) : [];
    },
    markDeleted: (object) => withStatus(withoutGrace(object), { phase: "Terminating" }),
    heldBack: (object) => textsAt(object, "spec", "finalizers").length > 0,
  },
};

/** A namespace takes as long as its content does. */
function withoutGrace(object: KubeObject): KubeObject {
  const { deletionGracePeriodSeconds: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** A generated name is known only now. */
function labelled(object: KubeObject): KubeObject {
  const { name = "", labels } = object.metadata;
  if (labels?.[nameLabel] === name) return object;
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [nameLabel]: name } } };
}

/** A finalizer is the server's own, or somebody's who can be told by a domain. */
function finalizerProblems(object: KubeObject, at: (index: number) => FieldPath): readonly FieldError[] {
  return textsAt(object, "spec", "finalizers").flatMap((name, index) => {
    const problems = qualifiedNameProblems(name);
    const foreign = name.includes("/") || standard.includes(name);
    const why = foreign
      ? problems
      : [...problems, "name is neither a standard finalizer name nor is it fully qualified"];
    return why.map((each) => invalid(at(index), name, each));
  });
}

function phaseProblems(object: KubeObject): readonly FieldError[] {
  const phase = textAt(object, "status", "phase");
  const at = FieldPath.of("status", "Phase");
  if (object.metadata.deletionTimestamp === undefined) {
    return phase === "Active" ? [] : [invalid(at, phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  if (phase === "Terminating") return [];
  return [invalid(at, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
}
