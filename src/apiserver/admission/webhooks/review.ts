import { asJson, encodeJson, type JsonObject } from "#machinery";
import type { AdmissionRequest, Caller } from "../admission.ts";
import { isNamespaces } from "./rule.ts";
import type { Guise, Shown } from "./versions.ts";

/** The group of AdmissionReviews. */
export const reviewGroup = "admission.k8s.io";

export interface ReviewParts {
  /** Tells answers apart. */
  readonly uid: string;
  readonly version: "v1" | "v1beta1";
  readonly guise: Guise;
  readonly shown: Shown;
}

/** What a webhook is sent: an AdmissionReview, as JSON. */
export function reviewText(request: AdmissionRequest, { uid, version, guise, shown }: ReviewParts): string {
  const { object, oldObject } = shown;
  return encodeJson({
    kind: "AdmissionReview",
    apiVersion: `${reviewGroup}/${version}`,
    request: {
      uid,
      ...requestOf(request, guise),
      object: object === undefined ? null : asJson(object),
      oldObject: oldObject === undefined ? null : asJson(oldObject),
    },
  });
}

/** The request without its objects; what is empty is left out. */
export function requestOf(request: AdmissionRequest, { kind, resource }: Guise): JsonObject {
  const { subresource, name, operation, caller, dryRun } = request;
  const namespace = isNamespaces(request.resource) ? name : request.namespace;
  return {
    kind: { ...kind },
    resource: { ...resource },
    ...unlessEmpty("subResource", subresource),
    requestKind: { ...request.kind },
    requestResource: { ...request.resource },
    ...unlessEmpty("requestSubResource", subresource),
    ...unlessEmpty("name", name),
    ...unlessEmpty("namespace", namespace),
    operation,
    userInfo: userInfoOf(caller),
    dryRun,
    options: request.options(),
  };
}

function userInfoOf({ name, uid = "", groups, extra }: Caller): JsonObject {
  return {
    username: name,
    ...unlessEmpty("uid", uid),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra: { ...extra } }),
  };
}

function unlessEmpty(field: string, text: string): JsonObject {
  return text === "" ? {} : { [field]: text };
}
