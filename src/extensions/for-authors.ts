// What whoever writes an extension needs: hooks, answers, variables, and the means to serve and to test it.
export { type Duration, minutes, seconds } from "#base";
export { DevClusterTemplate, DevMachineTemplate } from "#api";
export { s } from "#machinery";
export { type Hook, type RequestOf, type ResponseOf } from "./catalog/hook.ts";
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
export { DiscoverVariables, GeneratePatches, ValidateTopology } from "./catalog/topology-hooks.ts";
export {
  ExtensionDefinitionError,
  ExtensionHttpError,
  ExtensionServeError,
  InvalidVariablesError,
  MalformedMessageError,
} from "./errors.ts";
export { type Answer, proceed, refuse, waitFor } from "./kit/answers.ts";
export { callHook } from "./kit/call-hook.ts";
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
export { defineVariables, type VariableValue, type Variables } from "./kit/variables.ts";
