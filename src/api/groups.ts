/** The API groups of Cluster API. */
export const groups = {
  core: "cluster.x-k8s.io",
  runtime: "runtime.cluster.x-k8s.io",
  addons: "addons.cluster.x-k8s.io",
  ipam: "ipam.cluster.x-k8s.io",
  bootstrap: "bootstrap.cluster.x-k8s.io",
  controlPlane: "controlplane.cluster.x-k8s.io",
  infrastructure: "infrastructure.cluster.x-k8s.io",
  hooks: "hooks.runtime.cluster.x-k8s.io",
  clusterctl: "clusterctl.cluster.x-k8s.io",
} as const;

/** The category that all kinds of Cluster API belong to: `kubectl get cluster-api` lists them. */
export const category = "cluster-api";

/** The contract between the core and the providers that this release speaks. */
export const contractVersion = "v1beta2";

/** The label of a CustomResourceDefinition that names the API versions in which a kind fulfils a contract. */
export function contractLabel(contract: string): string {
  return `${groups.core}/${contract}`;
}

/** The labels that tell which API versions of a kind fulfil which contract. */
export function contractLabels(versionsByContract: { readonly [contract: string]: readonly string[] }): {
  readonly [label: string]: string;
} {
  return Object.fromEntries(
    Object.entries(versionsByContract).map(([contract, versions]) => [contractLabel(contract), versions.join("_")]),
  );
}
