export {
  bySecret,
  configsTrusting,
  type SecretReader,
  splitNamespacedName,
  wishedAuthority,
} from "./authority-secret.ts";
export { ask, type Asked, withDiscovery } from "./bring-up-to-date.ts";
export { Discovered } from "./discovered.ts";
export { AuthoritySecretError, ExtensionConfigError, InvalidExtensionConfigError, WarmUpError } from "./errors.ts";
export {
  type AuthorityFact,
  describeDiscoveryFailure,
  type DiscoveryFact,
  type DiscoveryFacts,
  type PauseFact,
  type StatusFact,
  type ValidityFact,
} from "./facts.ts";
export { readDiscoveryFacts } from "./read-facts.ts";
export { extensionConfig, readOnlyExtensionConfig } from "./reconciler.ts";
export type { ExtensionConfigPorts } from "./steps.ts";
export { validityOf } from "./validity.ts";
export { extensionWarmUp, startWarmUp, warmUpRegistry, type WarmUpPace, type WarmUpPorts } from "./warm-up.ts";
