export type { AdmissionContext, AdmissionPlugin, AdmissionRequest, Caller } from "#apiserver/admission";
export {
  type AuditLog,
  openAuditLog,
  openPki,
  parseTokenFile,
  type Pki,
  renewCertificates,
  type SecurityOptions,
  type StaticTokens,
  writeKubeconfig,
} from "#apiserver/auth";
export {
  type AnsweredRequest,
  type AnsweredResource,
  type Attributes,
  type Credentials,
  type HealthCheck,
  type HttpOptions,
  type HttpServer,
  ListenError,
  type PathAttributes,
  type Question,
  type ResourceAttributes,
  type Security,
  type TlsFiles,
  type TlsPeer,
} from "#apiserver/http";
export { openLmdbStore, openMemoryStore, runBackup, runRestore, type Store } from "#apiserver/store";
export { type ApiServer, type ApiServerOptions, openApiServer } from "./api-server.ts";
