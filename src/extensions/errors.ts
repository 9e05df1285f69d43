import { CapstanError } from "#base";

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
