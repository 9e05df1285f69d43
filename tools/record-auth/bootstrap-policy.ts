import { fieldAt, isJsonObject, type JsonObject } from "#machinery";
import type { Connection } from "./connection.ts";

const group = "/apis/rbac.authorization.k8s.io/v1";
const kinds = [
  ["clusterroles", "ClusterRole"],
  ["clusterrolebindings", "ClusterRoleBinding"],
  ["roles", "Role"],
  ["rolebindings", "RoleBinding"],
] as const;

/** The source file that holds the roles and bindings with which a server begins. */
export async function bootstrapPolicyFile(connection: Connection): Promise<string> {
  const lines: string[] = [];
  for (const [resource, kind] of kinds) {
    const items = fieldAt((await connection.ask("GET", `${group}/${resource}`)).body, "items");
    for (const item of Array.isArray(items) ? items : []) {
      if (isJsonObject(item) && belongs(item)) lines.push(JSON.stringify(trimmed(kind, item)));
    }
  }
  return `import type { KubeObject } from "#machinery";

// Written by \`npm run record-auth\`; not edited by hand.
/** JSON, read when it is first needed. */
const text = String.raw\`[
${lines.join(",\n")}
]\`;

/** The roles and bindings that every plane begins with. */
export function bootstrapPolicy(): readonly KubeObject[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the data is written by our own tool in this very shape
  return JSON.parse(text) as readonly KubeObject[];
}
`;
}

/** Those of controllers that no plane of ours runs are left out. */
function belongs(item: JsonObject): boolean {
  const isDefault = fieldAt(item, "metadata", "labels", "kubernetes.io/bootstrapping") === "rbac-defaults";
  return isDefault && !String(fieldAt(item, "metadata", "name")).startsWith("system:controller:");
}

/** An object as it is created: rules of aggregated roles are filled in later. */
function trimmed(kind: string, item: JsonObject): unknown {
  const metadata = picked(item["metadata"], ["name", "namespace", "labels", "annotations"]);
  const content = kind.endsWith("Binding")
    ? picked(item, ["roleRef", "subjects"])
    : picked(item, item["aggregationRule"] === undefined ? ["rules"] : ["aggregationRule"]);
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata, ...content };
}

function picked(object: unknown, fields: readonly string[]): { readonly [field: string]: unknown } {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = fieldAt(object, field);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}
