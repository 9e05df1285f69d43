export {
  isReferenceDefined,
  type ProviderCondition,
  providerLookup,
  type ProviderLookup,
  type ProviderRead,
  type ProviderReference,
  readProviderLookup,
} from "./provider-lookup.ts";
export { missingRows, type ProviderRows, type ProviderView, reportedRows, silentKind } from "./provider-rows.ts";
