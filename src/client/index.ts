// What whoever uses `capstan/client` on its own needs besides: time, objects, kinds and refusals.
export { type Clock, type Duration, describeError, hours, milliseconds, minutes, seconds, systemClock } from "#base";
export {
  ApiError,
  defineKind,
  type GroupVersionKind,
  type GroupVersionResource,
  hasReason,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Kind,
  type KubeList,
  type KubeObject,
  type ObjectKey,
  type ObjectMeta,
  type ObjectOf,
  type Patch,
  s,
  type Status,
  type StatusReason,
  type Transport,
} from "#machinery";

export type { Client, ClientApplyOptions, ClientGetOptions, ClientWriteOptions } from "./client.ts";
export { basicAuthorization, bearerToken, type Credential, type Credentials, tokenFile } from "./config/credentials.ts";
export { execPlugin, type ExecPluginOptions } from "./config/exec-plugin.ts";
export type { ExecSettings } from "./config/exec-settings.ts";
export { type Environment, inClusterConnection, type InClusterOptions, isInCluster } from "./config/in-cluster.ts";
export { connectionOf, type ContextOptions } from "./config/kubeconfig-connection.ts";
export { type Kubeconfig, type KubeconfigPlaces, loadKubeconfig, parseKubeconfig } from "./config/kubeconfig.ts";
export { loadConnection, type LoadOptions } from "./config/load-connection.ts";
export type { Connection, Impersonation, Pem, TlsSettings } from "./connection.ts";
export { type ClientOptions, createClient } from "./create-client.ts";
export { type DeadlineOptions, withDeadline } from "./deadline.ts";
export {
  ConnectionError,
  CredentialFileError,
  DeadlineExceededError,
  ExecPluginError,
  InvalidRateLimitError,
  KubeconfigError,
  MalformedAnswerError,
  MissingFieldOwnerError,
  NoConnectionError,
  NoKindMatchError,
  NoResourceMatchError,
  TransportClosedError,
  UnexpectedKindError,
  WatchBrokenError,
  WatchSetBackError,
  type WatchProblem,
} from "./errors.ts";
export { follow, type FollowOptions, type FollowProblem, type FollowTools } from "./follow.ts";
export type { FollowEvent, KindEvent } from "./follow-event.ts";
export type { PageOptions } from "./list-pages.ts";
export { createRestMapper, type RestMapper, type RestMapperOptions } from "./rest-mapper.ts";
export { type AnyKind, isServedKind, type ServedKind } from "./served-kind.ts";
export { createHttpTransport, type HttpTransport, type HttpTransportOptions } from "./transport/http-transport.ts";
export type { RequestReport, TransportObserver } from "./transport/observer.ts";
export { readBody, type ReadOptions } from "./transport/read-answer.ts";
export type { RateLimit } from "./transport/rate-limit.ts";
export type { RetryLimits } from "./transport/retry-policy.ts";
export { createWirePool, type ConnectionEvent, type WirePool, type WirePoolOptions } from "./wire/wire-pool.ts";
export type { Wire, WireAnswer, WireHeaders, WireRequest } from "./wire/wire.ts";
