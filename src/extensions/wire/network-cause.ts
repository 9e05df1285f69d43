import { CapstanError, describeError } from "#base";
import { DeadlineExceededError } from "#client";

interface SystemError extends Error {
  readonly code: string;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
  readonly cert?: unknown;
  readonly host?: unknown;
}

const untrusted = "certificate signed by unknown authority";

/** What the platform says about a certificate, in the words in which Go says it. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "certificate has expired or is not yet valid",
  CERT_NOT_YET_VALID: "certificate has expired or is not yet valid",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** Why a call did not reach an extension or its answer did not come back, in words that stay the same next time. */
export function networkCause(error: unknown): string {
  // Several addresses of one name fail together.
  for (let at: unknown = error; at instanceof Error; at = at instanceof AggregateError ? at.errors[0] : at.cause) {
    if (at instanceof AggregateError) continue;
    if (at instanceof DeadlineExceededError) return "context deadline exceeded";
    if (isSystemError(at)) return systemCause(at) ?? describeError(error);
  }
  return describeError(error);
}

function systemCause(error: SystemError): string | undefined {
  const { code, address, port, hostname } = error;
  const problem = Object.hasOwn(certificateProblems, code) ? certificateProblems[code] : undefined;
  if (problem !== undefined) return certificateText(problem);
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${hostPort(address, port)}: connect: connection refused`;
    case "ENOTFOUND":
      return `dial tcp: lookup ${String(hostname)}: no such host`;
    case "EHOSTUNREACH":
      return `dial tcp ${hostPort(address, port)}: connect: no route to host`;
    case "ECONNRESET":
      return "connection reset by peer";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return certificateText(`certificate is not valid for ${String(error.host)}`);
    default:
      return undefined;
  }
}

function certificateText(problem: string): string {
  return `tls: failed to verify certificate: x509: ${problem}`;
}

function hostPort(address: unknown, port: unknown): string {
  const host = String(address);
  return host.includes(":") ? `[${host}]:${String(port)}` : `${host}:${String(port)}`;
}

function isSystemError(error: Error): error is SystemError {
  return "code" in error && typeof error.code === "string" && !(error instanceof CapstanError);
}
