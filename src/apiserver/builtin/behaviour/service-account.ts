import type { KubeObject } from "#machinery";
import { listAt, textAt } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";

export const serviceAccount: KindRules = {
  behaviour: { prepareForCreate: withNamesOnly, prepareForUpdate: withNamesOnly },
};

/** Of a reference to a secret only the name counts: it is always in the namespace of the account. */
function withNamesOnly(object: KubeObject): KubeObject {
  const secrets = listAt(object, "secrets");
  if (secrets.length === 0) return object;
  return { ...object, secrets: secrets.map((secret) => ({ name: textAt(secret, "name") })) };
}
