import { type FieldError, FieldPath, type KubeObject, notSupported, required } from "#machinery";
import { isSet, objectAt, textAt } from "../object-fields.ts";
import { checked, closed, fixed, needs, spelled } from "./checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { subdomainProblems } from "./names.ts";

// What a volume says about itself besides where it comes from.
const aboutVolume = new Set([
  "capacity",
  "accessModes",
  "claimRef",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "mountOptions",
  "volumeMode",
  "nodeAffinity",
  "volumeAttributesClassName",
]);

/** Kinds of storage, by resource. */
export const storageRules: Readonly<Record<string, KindRules>> = {
  persistentvolumes: { behaviour: checked([needs("spec.accessModes"), capacityProblems, sourceProblems]) },
  persistentvolumeclaims: {
    behaviour: checked([needs("spec.accessModes", "at least 1 access mode is required"), requestProblems]),
  },
  "storageclasses.storage.k8s.io": {
    behaviour: checked(
      [needs("provisioner")],
      [
        closed("parameters", "updates to parameters are forbidden."),
        closed("provisioner", "updates to provisioner are forbidden."),
        closed("reclaimPolicy", "updates to reclaimPolicy are forbidden."),
        fixed("volumeBindingMode"),
      ],
    ),
  },
  "csidrivers.storage.k8s.io": { behaviour: { unconditionalUpdate: false } },
  "csinodes.storage.k8s.io": { behaviour: { unconditionalUpdate: false } },
  "csistoragecapacities.storage.k8s.io": {
    behaviour: { unconditionalUpdate: false, ...checked([spelled("storageClassName", subdomainProblems)]) },
  },
  "volumeattachments.storage.k8s.io": {
    behaviour: {
      unconditionalUpdate: false,
      // The real server asks for the attacher twice.
      ...checked([
        needs("spec.attacher"),
        attachedProblems,
        spelled("spec.nodeName", subdomainProblems),
        needs("spec.attacher"),
      ]),
    },
  },
  "volumeattributesclasses.storage.k8s.io": {
    behaviour: checked([needs("driverName"), needs("parameters", "must contain at least one key/value pair")]),
  },
};

function capacityProblems(volume: KubeObject): readonly FieldError[] {
  const at = FieldPath.of("spec", "capacity");
  const capacity = objectAt(volume, "spec", "capacity");
  const names = Object.keys(capacity);
  if (names.length === 1 && names[0] === "storage") return [];
  const shown = names.length === 0 ? null : capacity;
  return [...(names.length === 0 ? [required(at)] : []), notSupported(at, shown, ["storage"])];
}

function sourceProblems(volume: KubeObject): readonly FieldError[] {
  const sources = Object.keys(objectAt(volume, "spec")).filter((name) => !aboutVolume.has(name));
  return sources.length === 0 ? [required(FieldPath.of("spec"), "must specify a volume type")] : [];
}

function requestProblems(claim: KubeObject): readonly FieldError[] {
  const asked = isSet(claim, "spec", "resources", "requests", "storage");
  return asked ? [] : [required(FieldPath.of("spec", "resources").key("storage"))];
}

function attachedProblems(attachment: KubeObject): readonly FieldError[] {
  const source = objectAt(attachment, "spec", "source");
  const both = (textAt(source, "persistentVolumeName") !== "") === isSet(source, "inlineVolumeSpec");
  const why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  return both ? [required(FieldPath.of("spec", "source"), why)] : [];
}
