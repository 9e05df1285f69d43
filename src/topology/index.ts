export { type FilledCluster, fillInCluster, variableRules } from "./variables/cluster-variables.ts";
export { conflictsIn, Definitions } from "./variables/definitions.ts";
export {
  convertVariable,
  readV1Beta1Variable,
  readV1Beta2Variable,
  readVariable,
  type VariableReader,
} from "./variables/discovered-variable.ts";
export { type DefinitionOptions, validateDefinitions } from "./variables/validate-definitions.ts";
export {
  fillInValues,
  type FilledValues,
  validateValues,
  type ValueOptions,
  type VariableDefinitions,
  type VariableValue,
} from "./variables/variable-values.ts";
