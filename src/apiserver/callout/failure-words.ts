import { describeError } from "#base";
import { CalloutError } from "./errors.ts";

interface SystemError extends Error {
  readonly code: string;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
}

const untrusted = "certificate signed by unknown authority";
const outdated = "certificate has expired or is not yet valid";

/** What the platform says about a certificate, in the words in which Go says it. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: outdated,
  CERT_NOT_YET_VALID: outdated,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

const connectProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset by peer",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "network is unreachable",
  ETIMEDOUT: "connection timed out",
};

/** Why a webhook could not be reached, in the words of the real server's platform. */
export function failureWords(error: unknown): string {
  // Several addresses of one name fail together.
  for (let at = error; at instanceof Error; at = at instanceof AggregateError ? at.errors[0] : at.cause) {
    if (at instanceof CalloutError) return at.message;
    if (!(at instanceof AggregateError) && isSystemError(at)) return systemWords(at) ?? describeError(error);
  }
  return describeError(error);
}

function systemWords(error: SystemError): string | undefined {
  const { code, address, port, hostname } = error;
  const certificate = ownValue(certificateProblems, code);
  if (certificate !== undefined) return `tls: failed to verify certificate: x509: ${certificate}`;
  const connect = ownValue(connectProblems, code);
  if (connect !== undefined && address !== undefined) {
    return `dial tcp ${hostPort(address, port)}: connect: ${connect}`;
  }
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `dial tcp: lookup ${String(hostname)}: no such host`;
    case "ECONNRESET":
    case "EPIPE":
      // Whoever hangs up in the middle of a handshake or before the answer.
      return "EOF";
    default:
      return tlsWords(error) ?? (code.startsWith("HPE_") ? brokenAnswer : undefined);
  }
}

const brokenAnswer = "net/http: HTTP/1.x transport connection broken: malformed HTTP response";

function tlsWords({ code, message }: SystemError): string | undefined {
  if (code !== "EPROTO" && !code.startsWith("ERR_SSL_")) return undefined;
  // What is no record of TLS is nearly always an answer in plain HTTP.
  if (message.includes("wrong version number")) return "http: server gave HTTP response to HTTPS client";
  const [, alert] = /alert ([a-z ]+)/.exec(message) ?? [];
  return alert === undefined ? "tls: first record does not look like a TLS handshake" : `remote error: tls: ${alert}`;
}

function ownValue(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function hostPort(address: unknown, port: unknown): string {
  const host = String(address);
  return host.includes(":") ? `[${host}]:${String(port)}` : `${host}:${String(port)}`;
}

function isSystemError(error: Error): error is SystemError {
  return "code" in error && typeof error.code === "string";
}
