export { type EmbeddedServer, type EmbeddedServerOptions, openEmbeddedServer } from "./embedded-server.ts";
export { everyRow, type RowCase } from "./every-row.ts";
export { type FiredRow, recordRow, recordTables, rowsIn } from "./row-record.ts";
