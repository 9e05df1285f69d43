import { CapstanError } from "#base";
import type { HookResponse } from "./catalog/hook.ts";

/** A question or an answer of a hook that does not have the shape of its kind. */
export class MalformedMessageError extends CapstanError {
  readonly code = "MALFORMED_HOOK_MESSAGE";
}

/** A hook that a catalog does not know, or that was entered twice with different declarations. */
export class CatalogError extends CapstanError {
  readonly code = "HOOK_CATALOG";
}

/** A registry of extensions that was asked for something it cannot do or does not have. */
export class RegistryError extends CapstanError {
  readonly code = "EXTENSION_REGISTRY";
}

/** A registered name of a handler that cannot be made or taken apart. */
export class HandlerNameError extends CapstanError {
  readonly code = "EXTENSION_HANDLER_NAME";
}

/** The address of an extension that leads nowhere. */
export class ExtensionAddressError extends CapstanError {
  readonly code = "EXTENSION_ADDRESS";
}

/** A certificate authority of an extension that holds no certificate. */
export class ExtensionTrustError extends CapstanError {
  readonly code = "EXTENSION_TRUST";
}

/** A call of an extension that failed on the way there, on the way back, or in what it answered with. */
export class ExtensionHttpError extends CapstanError {
  readonly code = "EXTENSION_HTTP_CALL";
}

/** The answer of an extension to a discovery that cannot be used. */
export class DiscoveryResponseError extends CapstanError {
  readonly code = "EXTENSION_DISCOVERY_RESPONSE";
}

/** An extension that could not be asked what it has; the message says why. */
export class ExtensionDiscoveryError extends CapstanError {
  readonly code = "EXTENSION_DISCOVERY";
}

/** Handlers that could not be called, or that did not answer with success; the message says which and why. */
export class ExtensionCallError extends CapstanError {
  readonly code = "EXTENSION_CALL";
  /** What the handler answered, where it did. */
  readonly response: HookResponse | undefined;

  constructor(message: string, options: { readonly cause?: unknown; readonly response?: HookResponse } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.response = options.response;
  }
}

/** A handler that cannot be added to an extension. */
export class ExtensionDefinitionError extends CapstanError {
  readonly code = "EXTENSION_DEFINITION";
}

/** An extension that cannot be served. */
export class ExtensionServeError extends CapstanError {
  readonly code = "EXTENSION_SERVE";
}

/** Variables of a question that are not as their extension has defined them. */
export class InvalidVariablesError extends CapstanError {
  readonly code = "INVALID_VARIABLES";
}

/** An extension that does not keep to the protocol. */
export class ConformanceError extends CapstanError {
  readonly code = "EXTENSION_CONFORMANCE";
}
