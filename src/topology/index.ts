export { type DefinitionOptions, validateDefinitions } from "./variables/validate-definitions.ts";
