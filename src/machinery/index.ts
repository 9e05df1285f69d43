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
export { decodeJson } from "./json-decode.ts";
export { encodeJson } from "./json-encode.ts";
export { type DecodedJson, InvalidJsonError } from "./json-parse.ts";
export { applyJsonPatch, JsonPatchError, type JsonPatchOptions, type JsonPatchProblem } from "./json-patch.ts";
export { InvalidJsonPointerError, parseJsonPointer, printJsonPointer } from "./json-pointer.ts";
export { applyMergePatch, mergePatchBetween, type MergePatchOptions } from "./merge-patch.ts";
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
export { type CompiledSchema, compileSchema, type SchemaChecks, type SchemaOptions } from "./schema/compile.ts";
export type { JsonSchema, ValidationRule } from "./schema/json-schema.ts";
export { deepestSchema, SchemaTooDeepError } from "./schema/nesting.ts";
export { checkStructural, isNonStructural, type StructuralOptions } from "./schema/structural/check-structural.ts";
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
