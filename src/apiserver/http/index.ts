export type { AnsweredResource, Question } from "./answered-resource.ts";
export { ListenError } from "./errors.ts";
export type { AnsweredRequest } from "./face.ts";
export type { HealthCheck } from "./health.ts";
export { type HttpOptions, type HttpServer, type Limits, serveHttp, type TlsFiles } from "./server.ts";
export type { Attributes, Credentials, PathAttributes, ResourceAttributes, Security, TlsPeer } from "./security.ts";
