import type { KubeObject } from "#machinery";
import { isSet, listAt, objectAt, textAt, textsAt, withStatus } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";

export const customResourceDefinition: KindRules = {
  behaviour: {
    unconditionalUpdate: false,
    countsGenerations: true,
    prepareForCreate: (object) => withStoredVersions({ ...object, status: newStatus }),
    prepareForUpdate: withStoredVersions,
  },
};

const newStatus = { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null };

/** A version in which objects are written from now on is one in which some may be found for ever. */
function withStoredVersions(object: KubeObject): KubeObject {
  const storage = listAt(object, "spec", "versions").find(
    (version) => isSet(version, "storage") && objectAt(version)["storage"] === true,
  );
  const name = textAt(storage, "name");
  const stored = textsAt(object, "status", "storedVersions");
  return name === "" || stored.includes(name) ? object : withStatus(object, { storedVersions: [...stored, name] });
}
