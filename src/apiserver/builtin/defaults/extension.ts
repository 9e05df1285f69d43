import type { JsonObject } from "#machinery";
import { textAt } from "../object-fields.ts";
import type { TypeDefaults } from "./defaults-by-type.ts";
import { filled } from "./filled.ts";

const httpsPort = 443;
const roles = "rbac.authorization.k8s.io";
const webhook = {
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** Defaults of the kinds by which the API itself is extended and guarded. */
export const extensionDefaults: Readonly<Record<string, TypeDefaults>> = {
  "apiextensions/v1.CustomResourceDefinitionSpec": { conversion: { strategy: "None" } },
  "apiextensions/v1.CustomResourceDefinitionNames": (names) => {
    const kind = textAt(names, "kind");
    return kind === "" ? names : filled(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  },
  "apiextensions/v1.ServiceReference": { port: httpsPort },
  "apiregistration/v1.ServiceReference": { port: httpsPort },
  "admissionregistration/v1.ServiceReference": { port: httpsPort },
  "admissionregistration/v1.ValidatingWebhook": webhook,
  "admissionregistration/v1.MutatingWebhook": { ...webhook, reinvocationPolicy: "Never" },
  "admissionregistration/v1.RuleWithOperations": { scope: "*" },
  "admissionregistration/v1.NamedRuleWithOperations": { scope: "*" },
  "admissionregistration/v1.ValidatingAdmissionPolicySpec": { failurePolicy: "Fail" },
  "admissionregistration/v1.MatchResources": { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} },
  "rbac/v1.RoleRef": { apiGroup: roles },
  "rbac/v1.Subject": subject,
};

/** People and groups are in the group of the roles; a ServiceAccount is in the core group, which has no name. */
function subject(object: JsonObject): JsonObject {
  const kind = textAt(object, "kind");
  return kind === "User" || kind === "Group" ? filled(object, { apiGroup: roles }) : object;
}
