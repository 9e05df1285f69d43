export { issueServerCertificate, type KeyPair, makeAuthority, type ServerCertificate } from "./dev/authority.ts";
export { type ApiServerBreak, breakAnnotations, type NodeBreak } from "./dev/breaks.ts";
export { devCluster, type DevClusterFacts, DevClusterReady, type DevPorts } from "./dev/dev-cluster.ts";
export { devMachine } from "./dev/dev-machine.ts";
export { DevMachineReady, NodeProvisioned, VMProvisioned } from "./dev/dev-machine-conditions.ts";
export type { DevMachineFacts } from "./dev/dev-machine-facts.ts";
export { type ReopenPorts, reopenServers } from "./dev/reopen-servers.ts";
export type { WorkloadServer, WorkloadServerTools } from "./dev/workload-server.ts";
export { createWorkloadServers, type WorkloadServers } from "./dev/workload-servers.ts";
