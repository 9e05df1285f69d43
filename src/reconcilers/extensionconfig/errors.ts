import { CapstanError } from "#base";

/** An ExtensionConfig that could not be brought up to date: its authority, its discovery or its status. */
export class ExtensionConfigError extends CapstanError {
  readonly code = "EXTENSION_CONFIG_FAILED";
}

/** An ExtensionConfig that a reading manager cannot use as it stands. */
export class InvalidExtensionConfigError extends CapstanError {
  readonly code = "INVALID_EXTENSION_CONFIG";
}

/** The Secret with the certificate authority of an extension is none that can be used. */
export class AuthoritySecretError extends CapstanError {
  readonly code = "AUTHORITY_SECRET";
}

/** The registry of extensions could not be warmed up in time. */
export class WarmUpError extends CapstanError {
  readonly code = "EXTENSION_WARM_UP";
}
