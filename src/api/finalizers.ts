/** The finalizers of the controllers; those of the Dev kinds keep the names that they were born with. */
export const finalizers = {
  cluster: "cluster.cluster.x-k8s.io",
  machine: "machine.cluster.x-k8s.io",
  machineSet: "cluster.x-k8s.io/machineset",
  machineDeployment: "cluster.x-k8s.io/machinedeployment",
  machinePool: "machinepool.cluster.x-k8s.io",
  machineSetTopology: "machineset.topology.cluster.x-k8s.io",
  machineDeploymentTopology: "machinedeployment.topology.cluster.x-k8s.io",
  clusterResourceSet: "addons.cluster.x-k8s.io",
  kubeadmControlPlane: "kubeadm.controlplane.cluster.x-k8s.io",
  devCluster: "dockercluster.infrastructure.cluster.x-k8s.io",
  devMachine: "dockermachine.infrastructure.cluster.x-k8s.io",
} as const;
