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
export type { LabelRequirement } from "./label-requirement.ts";
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
export { type MetadataRules, metadataWarnings, validateMetadata, validateMetadataUpdate } from "./metadata.ts";
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
  hasOwner,
  isControlledBy,
  isSameOwner,
  type OwnerIdentity,
  upsertOwner,
  withoutOwner,
} from "./owner-references.ts";
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
export type { JsonSchema, ValidationRule } from "./schema/json-schema.ts";
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
