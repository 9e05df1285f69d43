export type { AdmissionContext, AdmissionPlugin, AdmissionRequest, Caller } from "#apiserver/admission";
export {
  type AnsweredResource,
  type Attributes,
  type AuditLog,
  openAuditLog,
  openPki,
  parseTokenFile,
  type PathAttributes,
  type Pki,
  type Question,
  renewCertificates,
  type ResourceAttributes,
  type SecurityOptions,
  type StaticTokens,
  writeKubeconfig,
} from "#apiserver/auth";
export type { HostAndPort } from "#apiserver/callout";
export {
  type AnsweredRequest,
  type Credentials,
  type HealthCheck,
  type HttpOptions,
  type HttpServer,
  ListenError,
  type Security,
  type TlsFiles,
  type TlsPeer,
} from "#apiserver/http";
export { makeDataFolder, openLmdbStore, openMemoryStore, runBackup, runRestore, type Store } from "#apiserver/store";
export { type ApiServer, type ApiServerOptions, openApiServer } from "./api-server.ts";
