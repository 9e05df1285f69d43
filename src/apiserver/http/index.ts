export { ListenError } from "./errors.ts";
export type { AnsweredRequest } from "./face.ts";
export type { HealthCheck } from "./health.ts";
export { type HttpOptions, type HttpServer, type Limits, serveHttp, type TlsFiles } from "./server.ts";
export type { Credentials, Security, TlsPeer } from "./security.ts";
