import { CapstanError } from "#base";

/** A reference that names nothing. */
export class ObjectReferenceNotSetError extends CapstanError {
  readonly code = "OBJECT_REFERENCE_NOT_SET";

  constructor() {
    super("cannot get object - object reference not set");
  }
}

/** A provider's object that could not be read or deleted; whether it was not found is told by the cause. */
export class ExternalObjectError extends CapstanError {
  readonly code = "EXTERNAL_OBJECT_FAILED";
}

/** A reference whose version could not be found out; it is never taken for a missing object. */
export class UnresolvedReferenceError extends CapstanError {
  readonly code = "UNRESOLVED_REFERENCE";
}

/** The definition of a kind that could not be read. */
export class DefinitionMetadataError extends CapstanError {
  readonly code = "DEFINITION_METADATA_UNREADABLE";
  /** The name under which the definition was looked for. */
  readonly definition: string;

  constructor(definition: string, cause: unknown) {
    super("failed to get CustomResourceDefinition metadata", { cause });
    this.definition = definition;
  }
}

/** No version of a kind, or none of a contract, is the one that was asked for. */
export class ContractVersionError extends CapstanError {
  readonly code = "CONTRACT_VERSION_NOT_FOUND";
}

/** A provider's object that is not as the contract says: a field has the wrong type. */
export class ContractError extends CapstanError {
  readonly code = "CONTRACT_VIOLATED";
}

/** A value of the wrong type in an object. */
export class FieldTypeError extends CapstanError {
  readonly code = "FIELD_OF_WRONG_TYPE";
}

/** A watch that an object tracker could not add. */
export class ObjectTrackerError extends CapstanError {
  readonly code = "OBJECT_TRACKER_FAILED";
}

/** An object that another controller has taken already. */
export class AlreadyOwnedError extends CapstanError {
  readonly code = "ALREADY_OWNED";
}

/** A provider's object that was there when it was needed first, and is gone. */
export class ProviderObjectGoneError extends CapstanError {
  readonly code = "PROVIDER_OBJECT_GONE";
}

/** A provider's object, or its kind, that cannot be read. */
export class ProviderReadError extends CapstanError {
  readonly code = "PROVIDER_UNREADABLE";
}

/** A provider's object that lacks what it has to say. */
export class ProviderFieldError extends CapstanError {
  readonly code = "PROVIDER_FIELD_EMPTY";
}
