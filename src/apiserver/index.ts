export type { AdmissionContext, AdmissionPlugin, AdmissionRequest, Caller } from "#apiserver/admission";
export { openLmdbStore, openMemoryStore, runBackup, runRestore, type Store } from "#apiserver/store";
export { type ApiServer, type ApiServerOptions, openApiServer } from "./api-server.ts";
