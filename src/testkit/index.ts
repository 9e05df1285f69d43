export { type EmbeddedServer, type EmbeddedServerOptions, openEmbeddedServer } from "./embedded-server.ts";
export { everyRow, type RowCase } from "./every-row.ts";
export { openPlane, type Plane, type PlaneOptions, type Way } from "./plane.ts";
export { embeddedOnly } from "./embedded-only.ts";
export type { WorldAdmission } from "./real-admission.ts";
export { condition, type RecordedWrite, type Write } from "./recorded-writes.ts";
export { type FiredRow, recordPasses, recordRow, recordTables, rowsIn } from "./row-record.ts";
export { scenario, type ScenarioOptions, type SeenCondition, type World, type WorldTools } from "./scenario.ts";
export type { NodeSigns, WorkloadCluster, WorkloadOptions } from "./workload-clusters.ts";
