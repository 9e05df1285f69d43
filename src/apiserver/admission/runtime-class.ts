import { quote } from "#base";
import { fieldAt, forbiddenRequest, type KubeObject } from "#machinery";
import type { AdmissionPlugin } from "./admission.ts";

/** A pod may only ask for a way to run that there is. */
export function runtimeClass(find: (name: string) => KubeObject | undefined): AdmissionPlugin {
  return {
    name: "RuntimeClass",
    handles: ({ operation, resource, subresource }) =>
      operation === "CREATE" && subresource === "" && resource.group === "" && resource.resource === "pods",
    validate({ resource, name, object }) {
      const wanted = fieldAt(object, "spec", "runtimeClassName");
      if (typeof wanted !== "string" || find(wanted) !== undefined) return;
      throw forbiddenRequest(resource, name, `pod rejected: RuntimeClass ${quote(wanted)} not found`);
    },
  };
}
