// What whoever writes an extension needs besides: time, schemas and the templates of the development providers.
export { DevClusterTemplate, DevMachineTemplate } from "#api";
export { type Duration, minutes, seconds } from "#base";
export { s } from "#machinery";

export { type Catalog, createCatalog } from "./catalog/catalog.ts";
export {
  describeGroupHook,
  describeHook,
  type GroupHook,
  type GroupVersionHook,
  hookPath,
} from "./catalog/group-version-hook.ts";
export {
  defineHook,
  type Hook,
  type HookRequest,
  type HookResponse,
  type RequestOf,
  type ResponseOf,
  type RetryResponse,
} from "./catalog/hook.ts";
export { CanUpdateMachine, CanUpdateMachineSet, UpdateMachine } from "./catalog/in-place-hooks.ts";
export {
  AfterClusterUpgrade,
  AfterControlPlaneInitialized,
  AfterControlPlaneUpgrade,
  AfterWorkersUpgrade,
  BeforeClusterCreate,
  BeforeClusterDelete,
  BeforeClusterUpgrade,
  BeforeControlPlaneUpgrade,
  BeforeWorkersUpgrade,
  GenerateUpgradePlan,
} from "./catalog/lifecycle-hooks.ts";
export { runtimeCatalog } from "./catalog/runtime-catalog.ts";
export { Discovery } from "./catalog/runtime-hook.ts";
export { DiscoverVariables, GeneratePatches, ValidateTopology } from "./catalog/topology-hooks.ts";
export { combinedResponse } from "./client/combined-response.ts";
export { createExtensionClient, type ExtensionClientOptions } from "./client/create-extension-client.ts";
export {
  checkDiscoveryResponse,
  type DiscoveredHandler,
  type DiscoveryResponse,
  withHandlerDefaults,
} from "./client/discovery-response.ts";
export type { CallOptions, ExtensionClient } from "./client/extension-client.ts";
export { matchesNamespace, type NamespaceReader, takesEverything } from "./client/namespace-match.ts";
export { cacheKey, createResponseCache, type ResponseCache } from "./client/response-cache.ts";
export { withSettings } from "./client/settings.ts";
export { type Finding, printFindings } from "./conformance/finding.ts";
export { verifyExtension, type VerifyOptions } from "./conformance/verify-extension.ts";
export {
  CatalogError,
  ConformanceError,
  DiscoveryResponseError,
  ExtensionAddressError,
  ExtensionCallError,
  ExtensionDefinitionError,
  ExtensionDiscoveryError,
  ExtensionHttpError,
  ExtensionServeError,
  ExtensionTrustError,
  HandlerNameError,
  InvalidVariablesError,
  MalformedMessageError,
  RegistryError,
} from "./errors.ts";
export type { PlainAnswer, PlainQuestion } from "./kit/answer-question.ts";
export { type Answer, proceed, refuse, waitFor } from "./kit/answers.ts";
export { callHook, type Fetch } from "./kit/call-hook.ts";
export { createExtension, type ExtensionOptions } from "./kit/create-extension.ts";
export type { Extension, Handler, HandlerContext, HandlerOptions } from "./kit/extension.ts";
export type { ExtensionServer, ListenOptions, ServingTls } from "./kit/listen.ts";
export {
  patchTemplates,
  setField,
  type TemplateChanges,
  type TemplateContext,
  type TemplateDraft,
} from "./kit/patch-templates.ts";
export { defineVariables, type Variables, type VariableValue } from "./kit/variables.ts";
export { extensionNameOf, registeredName } from "./registry/handler-name.ts";
export type { ClientConfig, ExtensionHandler, Registration } from "./registry/registration.ts";
export { createRegistry, type ExtensionRegistry } from "./registry/registry.ts";
export { createExtensionMetrics, type ExtensionMetrics, type FinishedCall } from "./wire/extension-metrics.ts";
export { type ExtensionUrl, extensionUrl, printUrl } from "./wire/extension-url.ts";
export type { ExtensionPost, ExtensionReply, ExtensionWire } from "./wire/extension-wire.ts";
export { createHttpsWire, type HttpsWireOptions } from "./wire/https-wire.ts";
export type { InProcessExtensions } from "./wire/in-process-wire.ts";
