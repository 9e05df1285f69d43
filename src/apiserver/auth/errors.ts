import { CapstanError } from "#base";

/** Keys or certificates of the data folder that cannot be used; they are never replaced silently. */
export class CredentialsDamagedError extends CapstanError {
  readonly code = "CREDENTIALS_DAMAGED";
  override readonly terminal = true;
}

/** A file of static tokens that cannot be read. */
export class TokenFileError extends CapstanError {
  readonly code = "TOKEN_FILE";
  override readonly terminal = true;
}

/** A key, a certificate or a kubeconfig cannot be written where it belongs. */
export class CredentialsUnwritableError extends CapstanError {
  readonly code = "CREDENTIALS_UNWRITABLE";
}
