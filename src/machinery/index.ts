export {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  expired,
  forbiddenRequest,
  hasReason,
  internalError,
  invalidObject,
  isAlreadyExists,
  isConflict,
  isNotFound,
  notFound,
  staleObject,
  type Status,
  type StatusCause,
  type StatusDetails,
  type StatusReason,
} from "./api-error.ts";
export { deepClone, deepFreeze } from "./clone.ts";
export { approvalCondition } from "./crd/api-approval.ts";
export { defaultDefinition, definitionToCreate, definitionToUpdate, storageVersion } from "./crd/default-definition.ts";
export {
  type CustomResourceDefinition,
  type DefinitionCondition,
  type DefinitionConversion,
  type DefinitionNames,
  type DefinitionSpec,
  type DefinitionStatus,
  type DefinitionVersion,
  hasCondition,
  type PrinterColumn,
  type ScalePaths,
  type SelectableField,
  type Subresources,
  type WebhookClientConfig,
} from "./crd/definition.ts";
export { goText, goTypeName } from "./crd/go-text.ts";
export { compileJsonPath, type JsonPath, type JsonPathOptions } from "./crd/jsonpath.ts";
export { JsonPathError } from "./crd/jsonpath-parse.ts";
export { type ClaimedNames, claimedNames, decideNames, type NamesDecision } from "./crd/names-accepted.ts";
export { type Cell, compileColumns, humanDuration, type PrintCells } from "./crd/printer-columns.ts";
export { MalformedDefinitionError, readDefinition, type ReadDefinition } from "./crd/read-definition.ts";
export { readScale, type Scale, scaleSpecErrors, scaleStatusErrors, withReplicas } from "./crd/scale.ts";
export { type CrdOptions, validateCrd, validateCrdStatus } from "./crd/validate-crd.ts";
export { compareVersions } from "./crd/version-order.ts";
export { deepEqual } from "./equal.ts";
export {
  describeFieldError,
  describeFieldErrors,
  describeFieldProblem,
  duplicate,
  type FieldError,
  type FieldErrorType,
  forbidden,
  invalid,
  notFoundAt,
  notSupported,
  omitted,
  PrintedValue,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
export { FieldPath } from "./field-path.ts";
export {
  escapeFieldValue,
  type FieldRequirement,
  type FieldSelector,
  InvalidFieldSelectorError,
  parseFieldSelector,
  printFieldSelector,
  requiredValue,
  type SelectableFields,
} from "./field-selector.ts";
export { escapePath, type GoUrl, hostnameOf, parseRequestUri, parseUrl, type UrlReading } from "./go-url.ts";
export { atoi, type GoInteger, parseInt32 } from "./go-integer.ts";
export {
  apiVersionOf,
  describeGroupKind,
  describeGroupResource,
  describeKind,
  type GroupKind,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  InvalidGroupVersionError,
  kindOf,
  parseGroupVersion,
} from "./group-version-kind.ts";
export {
  checkDepth,
  deepestJson,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonObjectDraft,
  JsonTooDeepError,
  member,
  setMember,
} from "./json.ts";
export { decodeFirstJson, decodeJson, decodeServerJson } from "./json-decode.ts";
export { encodeJson } from "./json-encode.ts";
export { type DecodedJson, InvalidJsonError } from "./json-parse.ts";
export { type JsonPatchOperation, jsonPatchBetween } from "./json-patch-between.ts";
export { applyJsonPatch, JsonPatchError, type JsonPatchOptions, type JsonPatchProblem } from "./json-patch.ts";
export { intOrPercentProblem } from "./int-or-percent.ts";
export { InvalidJsonPointerError, parseJsonPointer, printJsonPointer } from "./json-pointer.ts";
export type { KindDeclaration, OlderVersion, VersionDeclaration } from "./kind/declaration.ts";
export { defineKind, type Kind, type ObjectOf } from "./kind/define-kind.ts";
export type { Field, Fields, MembersOf, ValueOf } from "./kind/field.ts";
export {
  type IntegerLimits,
  type ListLimits,
  type ObjectLimits,
  s,
  type StringLimits,
} from "./kind/schema-builders.ts";
export type { LabelRequirement } from "./label-requirement.ts";
export { labelValueOf } from "./label-value.ts";
export {
  compileLabelSelector,
  everything,
  type LabelSelector,
  type LabelSelectorRequirement,
  nothing,
  parseLabelSelector,
  printLabelSelector,
  type Selector,
  selectorOf,
  validateLabelSelector,
} from "./label-selector.ts";
export { InvalidLabelSelectorError } from "./label-selector-parser.ts";
export { labelValueProblems, type Labels, qualifiedNameProblems, validateLabels } from "./labels.ts";
export { applyMergePatch, mergePatchBetween, type MergePatchOptions } from "./merge-patch.ts";
export {
  type MetadataRules,
  metadataWarnings,
  validateAnnotations,
  validateMetadata,
  validateMetadataUpdate,
} from "./metadata.ts";
export { type DecodedMetadata, decodeMetadata, InvalidMetadataError } from "./metadata-decode.ts";
export { instantOfMicroTime, type MicroTime, microTimeOf, parseMicroTime } from "./micro-time.ts";
export {
  labelName,
  type NameSyntax,
  pathSegmentName,
  rfc1035LabelName,
  subdomainName,
  type Syntax,
} from "./name-syntax.ts";
export { generateName, randomSuffix } from "./names.ts";
export {
  asJson,
  describeKey,
  fieldAt,
  keyOf,
  type KubeList,
  type KubeObject,
  type ManagedFieldsEntry,
  namespacedName,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
} from "./object.ts";
export {
  controllerOf,
  hasExactOwner,
  hasOwner,
  isControlledBy,
  isOwnedBy,
  isSameOwner,
  type OwnerIdentity,
  replaceOwner,
  upsertOwner,
  withoutOwner,
} from "./owner-references.ts";
export { applyConfiguration, type ApplyResult, type OwnershipApply } from "./ownership/apply-configuration.ts";
export { applyUpdate, type OwnershipUpdate } from "./ownership/apply-update.ts";
export { assertOfType, TypedValueError, type TypeProblem } from "./ownership/check-type.ts";
export { withCommonFields } from "./ownership/common-sets.ts";
export { compareFields, type Comparison } from "./ownership/compare-fields.ts";
export { type Conflict, conflictError } from "./ownership/conflicts.ts";
export { describePath, FieldSet, type Path } from "./ownership/field-set.ts";
export { fieldSetOf } from "./ownership/field-set-of.ts";
export { decodeFields } from "./ownership/fields-v1.ts";
export { decodeManagers, encodeManagers, InvalidManagedFieldsError, type Manager } from "./ownership/managers.ts";
export { mergeFields } from "./ownership/merge-fields.ts";
export { InvalidFieldsError, type PathElement } from "./ownership/path-element.ts";
export { extractFields, removeFields } from "./ownership/remove-fields.ts";
export { parentEntries, type ReplicasPaths, scaleEntries, scaleType } from "./ownership/scale.ts";
export { isUnchanged } from "./ownership/unchanged.ts";
export { objectTypeOf, type ValueType, valueTypeOf } from "./ownership/value-type.ts";
export type { Versions } from "./ownership/versions.ts";
export { type OwnershipWrite, resetFields } from "./ownership/write.ts";
export { pluralOf } from "./plural.ts";
export {
  addQuantities,
  compareQuantities,
  InvalidQuantityError,
  milliUnits,
  parseQuantity,
  printQuantity,
  type Quantity,
  type QuantityFormat,
  quantityFrom,
  subtractQuantities,
  wholeUnits,
} from "./quantity.ts";
export { compareResourceVersions, isComparableVersion } from "./resource-version.ts";
export { type PartChecks, partChecks } from "./schema/part-checks.ts";
export { type CompiledSchema, compileSchema, type SchemaChecks, type SchemaOptions } from "./schema/compile.ts";
export type { JsonSchema, ValidationRule } from "./schema/json-schema.ts";
export { deepestSchema, SchemaTooDeepError } from "./schema/nesting.ts";
export { defaultAcceptance } from "./schema/structural/default-checks.ts";
export {
  checkStructural,
  isNonStructural,
  type StructuralOptions,
  valueDefaultErrors,
  valueSchemaErrors,
} from "./schema/structural/check-structural.ts";
export {
  compareReleases,
  compareSemanticVersions,
  isKubernetesVersion,
  parseSemanticVersion,
  printSemanticVersion,
  type SemanticVersion,
} from "./semantic-version.ts";
export { sharing } from "./share.ts";
export { StrategicMergePatchError } from "./strategic-merge-list.ts";
export { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
export type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  DiscoveredResource,
  GetOptions,
  ListOptions,
  Patch,
  Transport,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./transport.ts";
export {
  InvalidYamlError,
  parseYaml,
  parseYamlDocuments,
  printYaml,
  printYamlDocuments,
  type YamlOptions,
} from "./yaml.ts";
export { type LinedYaml, parseLinedYaml } from "./yaml-lines.ts";
