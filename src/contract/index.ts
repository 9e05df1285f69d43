export { adopt, type Adoption, removedOwners } from "./adopt.ts";
export { bootstrapConfig } from "./bootstrap.ts";
export { bringAlong, type BringingPass, type BroughtAlong, ownerReferenceTo, ownersOf } from "./bring-along.ts";
export { type ContractPath, isParentPath, isSamePath, pathsOverlap, pathText } from "./contract-path.ts";
export {
  compareApiVersions,
  compatibleVersions,
  type ContractAndApiVersion,
  getApiVersion,
  getContractVersion,
  getContractVersionForVersion,
  latestContractAndApiVersion,
  updateReferenceApiContract,
} from "./contract-version.ts";
export { controlPlane, controlPlaneTemplate } from "./control-plane.ts";
export { isProvisioning, isScaling, isUpgrading } from "./control-plane-state.ts";
export { type Clone, createFromTemplate, type CreateFromTemplateInput } from "./create-from-template.ts";
export { definitionName, definitionsInMemory, getDefinitionMetadata } from "./definition-metadata.ts";
export {
  AlreadyOwnedError,
  ContractError,
  ContractVersionError,
  DefinitionMetadataError,
  ExternalObjectError,
  FieldTypeError,
  ObjectReferenceNotSetError,
  ObjectTrackerError,
  ProviderFieldError,
  ProviderObjectGoneError,
  ProviderReadError,
  UnresolvedReferenceError,
} from "./errors.ts";
export {
  deleteExternal,
  getExternal,
  getObjectFromContractVersionedRef,
  type ReconcileOutput,
} from "./external-object.ts";
export { type Failures, failuresFrom, isReady } from "./external-status.ts";
export type { FieldAccessor } from "./field-accessor.ts";
export { generateTemplate, type GenerateTemplateInput, type NamingOptions } from "./generate-template.ts";
export {
  emptyEndpointPaths,
  type Endpoint,
  infraCluster,
  infraMachine,
  infraMachinePool,
  type MachineAddress,
  template,
} from "./infrastructure.ts";
export type { ObjectReader } from "./object-reader.ts";
export { ObjectTracker, type ObjectTrackerParts, type TrackOptions } from "./object-tracker.ts";
export { resourceHasFilterLabel, resourceNotPaused } from "./predicates.ts";
export {
  observeProvider,
  type ProviderCondition,
  providerLookup,
  type ProviderLookup,
  type ProviderRead,
  type ProviderSight,
  readProvider,
  readProviderLookup,
} from "./provider-lookup.ts";
export { missingRows, type ProviderRows, type ProviderView, reportedRows, silentKind } from "./provider-rows.ts";
export {
  contractReferenceTo,
  type ContractVersionedObjectReference,
  groupKindOf,
  isDefined,
  type ObjectReference,
  referenceTo,
} from "./references.ts";
