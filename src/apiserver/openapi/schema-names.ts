const homes: Readonly<Record<string, string>> = {
  "meta/v1": "io.k8s.apimachinery.pkg.apis.meta.v1",
  "apiextensions/v1": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  "apiregistration/v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
};

/** The name under which the real server publishes a type such as `core/v1.Pod`. */
export function builtinSchemaName(typeName: string): string {
  const dot = typeName.indexOf(".");
  const home = typeName.slice(0, dot);
  const prefix = homes[home] ?? `io.k8s.api.${home.replaceAll("/", ".")}`;
  return `${prefix}${typeName.slice(dot)}`;
}

/** `io.x-k8s.cluster.v1beta2.Machine`: the group backwards, the version, the kind. */
export function customSchemaName(group: string, version: string, kind: string): string {
  return [...group.split(".").toReversed(), version, kind].join(".");
}

/** The names of types that every document needs. */
export const metaNames = {
  objectMeta: builtinSchemaName("meta/v1.ObjectMeta"),
  listMeta: builtinSchemaName("meta/v1.ListMeta"),
  deleteOptions: builtinSchemaName("meta/v1.DeleteOptions"),
  status: builtinSchemaName("meta/v1.Status"),
  patch: builtinSchemaName("meta/v1.Patch"),
};
