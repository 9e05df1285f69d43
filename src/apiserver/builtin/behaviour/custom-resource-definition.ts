import { checkRules } from "#cel";
import {
  type CustomResourceDefinition,
  definitionToCreate,
  definitionToUpdate,
  type KubeObject,
  validateCrd,
  validateCrdStatus,
} from "#machinery";
import { isSet, listAt, withSpec, withStatus } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";

// Keeps a definition until all its objects are gone.
const cleanup = "customresourcecleanup.apiextensions.k8s.io";

export const customResourceDefinition: KindRules = {
  behaviour: {
    qualifiedFinalizers: false,
    unconditionalUpdate: false,
    countsGenerations: true,
    statusWritesMetadata: false,
    prepareForCreate: (object) => complete(definitionToCreate(asDefinition(object))),
    prepareForUpdate: (object, old, subresource) =>
      subresource === "" ? complete(definitionToUpdate(asDefinition(object), asDefinition(old))) : object,
    validate: (object) => validateCrd(asDefinition(object), undefined, { checkRules }),
    validateUpdate: (object, old, subresource) =>
      subresource === "status"
        ? validateCrdStatus(asDefinition(object))
        : validateCrd(asDefinition(object), asDefinition(old), { checkRules }),
    // The first delete always marks: the objects have to go first.
    heldBack: ({ metadata }) => metadata.deletionTimestamp === undefined,
    markDeleted: marked,
  },
};

function asDefinition(object: KubeObject): CustomResourceDefinition {
  // A list that holds nothing is read as null.
  const listed = isSet(object, "spec", "versions") ? object : withSpec(object, { versions: [] });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of all its fields have been checked when it was read
  return listed as CustomResourceDefinition;
}

/** The status as it is always shown, with what is not known yet. */
function complete(definition: CustomResourceDefinition): KubeObject {
  return withStatus(definition, {
    ...(isSet(definition, "status", "conditions") ? {} : { conditions: null }),
    ...(isSet(definition, "status", "acceptedNames") ? {} : { acceptedNames: { plural: "", kind: "" } }),
  });
}

/** Unlike others, a definition keeps its generation and has no grace period. */
function marked(object: KubeObject): KubeObject {
  const { deletionGracePeriodSeconds: _, generation = 1, ...metadata } = object.metadata;
  const finalizers = (metadata.finalizers ?? []).filter((each) => each !== cleanup);
  const conditions = listAt(object, "status", "conditions");
  return {
    ...withStatus(object, { conditions: [...conditions, terminating(metadata.deletionTimestamp ?? "")] }),
    metadata: { ...metadata, generation: generation - 1, finalizers: [...finalizers, cleanup] },
  };
}

function terminating(lastTransitionTime: string) {
  return {
    type: "Terminating",
    status: "True",
    lastTransitionTime,
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
}
