import type { KubeObject } from "#machinery";
import { listAt, objectAt, textAt, textsAt, withStatus } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";

export const customResourceDefinition: KindRules = {
  behaviour: {
    unconditionalUpdate: false,
    countsGenerations: true,
    statusWritesMetadata: false,
    prepareForCreate: withStoredVersions,
    prepareForUpdate: (object, _, subresource) => (subresource === "" ? withStoredVersions(object) : object),
  },
};

/** A version in which objects are written from now on is one in which some may be found for ever. */
function withStoredVersions(object: KubeObject): KubeObject {
  const storage = listAt(object, "spec", "versions").find((version) => objectAt(version)["storage"] === true);
  const name = textAt(storage, "name");
  const stored = textsAt(object, "status", "storedVersions");
  return name === "" || stored.includes(name) ? object : withStatus(object, { storedVersions: [...stored, name] });
}
