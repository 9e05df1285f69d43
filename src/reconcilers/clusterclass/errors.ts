import { CapstanError } from "#base";

/** The variables of a ClusterClass could not be found out, or do not agree. */
export class VariableDiscoveryError extends CapstanError {
  readonly code = "VARIABLE_DISCOVERY_FAILED";

  constructor(className: string, failure: string) {
    super(`failed to discover variables for ClusterClass ${className}: ${failure}`);
  }
}

/** A template that a ClusterClass names could not be read. */
export class TemplateReferenceError extends CapstanError {
  readonly code = "TEMPLATE_REFERENCE_FAILED";
}
