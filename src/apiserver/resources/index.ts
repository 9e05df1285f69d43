export {
  type Conversion,
  type ObjectSchema,
  type PrinterColumn,
  type ResourceBehaviour,
  type ResourceDefinition,
  resourceOf,
  type ScalePaths,
  servedVersion,
  storageOf,
  type Subresources,
  type VersionDefinition,
} from "./definition.ts";
