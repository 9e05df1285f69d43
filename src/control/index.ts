// What whoever uses `capstan/control` on its own needs besides: time, what comes next, and a logger.
export {
  awaitChange,
  type Clock,
  createLogger,
  type Logger,
  milliseconds,
  minutes,
  type Next,
  requeueAfter,
  retry,
  seconds,
  systemClock,
} from "#base";

export { apiReader } from "./api-reader.ts";
export {
  type CacheCounter,
  type CacheGauge,
  type CacheMetrics,
  type CacheSummary,
  noCacheMetrics,
} from "./cache/cache-metrics.ts";
export { type CachedClient, createCachedClient } from "./cache/cached-client.ts";
export {
  type CacheChoice,
  type Caches,
  type CacheSettings,
  type CachesOptions,
  createCaches,
  type KindSettings,
} from "./cache/caches.ts";
export { createKindCache, type KindCacheOptions, type RunningCache } from "./cache/create-kind-cache.ts";
export type { CacheSelection } from "./cache/selection.ts";
export type { EntranceOptions } from "./cache/entrance.ts";
export type { CacheChange, KindCache } from "./cache/kind-cache.ts";
export { conditionsField } from "./conditions-field.ts";
export type { Controller, ControllerOptions } from "./controller/controller.ts";
export { cacheMetricsIn } from "./cache/prometheus-metrics.ts";
export { dumpReader } from "./dump-reader.ts";
export { CacheStoppedError, IndexExistsError, NotCachedError } from "./cache/errors.ts";
export {
  InvalidNextError,
  LeadershipLostError,
  ManagerListenError,
  ManagerMisuseError,
  PassDeadlineError,
  RunnableFailedError,
  WebhookCertificateError,
} from "./errors.ts";
export { createEventRecorder, type EventRecorder, type EventRecorderOptions } from "./events/event-recorder.ts";
export { type Authorize, type DiagnosticsAddress, passJson } from "./manager/diagnostics-server.ts";
export type { Check } from "./manager/health-server.ts";
export type { ListenAddress } from "./manager/http-listener.ts";
export type { LeaderElectionOptions } from "./manager/leader-election.ts";
export { createManager, type Manager, type ManagerOptions, type Started } from "./manager/manager.ts";
export { reviewAuthorizer } from "./manager/review-authorizer.ts";
export type { Runnable, WarmUp } from "./manager/runnable.ts";
export type { WebhookServing } from "./manager/serve-manager.ts";
export type { PassContext } from "./pass/active-pass.ts";
export type { Draft, MetadataDraft, SpecDraft, StatusDraft } from "./pass/draft.ts";
export { factsOf, type FactSource, type GatheredFacts } from "./pass/facts-of.ts";
export { judged, type Judgement, type Seen, type Verdict } from "./pass/judgement.ts";
export type { EventSink, Pass, PassClient } from "./pass/pass.ts";
export type { PassOutcome, PassRecord, TableVerdict } from "./pass/pass-record.ts";
export { isPaused, type PausedRule, type PausedState, pausedTable } from "./pass/paused.ts";
export { type PassTools, runPass } from "./pass/run-pass.ts";
export {
  abandon,
  type Abandoned,
  defineStep,
  type Looking,
  type Step,
  type StepDeclaration,
  type StepResult,
  stop,
} from "./pass/step.ts";
export {
  every,
  generationChanged,
  hasLabel,
  isChanged,
  lacksAnnotation,
  not,
  objectIs,
  pickChanged,
  type Predicate,
  some,
} from "./predicates.ts";
export { createRateLimit, type RateLimit, type RateLimitOptions } from "./queue/rate-limit.ts";
export {
  type AddOptions,
  priorities,
  type QueueEntry,
  type QueueObserver,
  WorkQueue,
  type WorkQueueOptions,
} from "./queue/work-queue.ts";
export type { Index, Reader, ReadListOptions, ReadOptions } from "./reader.ts";
export {
  type Concluding,
  type ConditionWriting,
  defineReconciler,
  type Given,
  type PausedDeclaration,
  type Reconciler,
  type ReconcilerDeclaration,
  type ObjectDrafts,
  type WithFinalizer,
} from "./reconciler.ts";
export {
  channel,
  type ChannelWatch,
  type KeySource,
  type KeysOf,
  type KindWatch,
  owned,
  related,
  type Watch,
  type WatchFor,
  type WatchOptions,
} from "./watches.ts";
export type { AdmissionOperation, AdmissionRequest, AdmissionVerdict } from "./webhook/admission-review.ts";
export { certificateFiles, type CertificateFilesOptions } from "./webhook/certificate-files.ts";
export {
  certificateSecret,
  type CertificateSecretOptions,
  ensureCertificateSecret,
} from "./webhook/certificate-secret.ts";
export type { CertificatePair, CertificateSource } from "./webhook/serving-certificate.ts";
export type { WebhookCertificate } from "./webhook/webhook-authority.ts";
export type { AdmissionWebhook } from "./webhook/webhook-server.ts";
