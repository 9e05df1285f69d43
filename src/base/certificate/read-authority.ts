import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { CapstanError } from "../errors.ts";
import type { CertificateSigner } from "./certificate.ts";

/** A certificate and key that cannot sign for others. */
export class InvalidAuthorityError extends CapstanError {
  readonly code = "INVALID_AUTHORITY";
}

/** An authority that signs, from its certificate and key in PEM, whoever made them. */
export function readAuthority(pem: { readonly certificate: string; readonly key: string }): CertificateSigner {
  const certificate = parsed("certificate", () => new X509Certificate(pem.certificate));
  const privateKey = parsed("key", () => createPrivateKey(pem.key));
  if (!certificate.ca) throw new InvalidAuthorityError("the certificate is not that of an authority");
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new InvalidAuthorityError("the key does not belong to the certificate");
  }
  const publicKey: KeyObject = certificate.publicKey;
  return { subject: { encoded: subjectOf(certificate.raw) }, privateKey, publicKey };
}

function parsed<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new InvalidAuthorityError(`the ${what} of the authority cannot be read`, { cause });
  }
}

/** The subject is the fifth field of a certificate, after an optional version, as it stands there. */
function subjectOf(certificate: Buffer): Buffer {
  let rest = contentOf(contentOf(certificate));
  const hasVersion = rest[0] === 0xa0;
  for (let skipped = hasVersion ? 0 : 1; skipped < 5; skipped += 1) rest = rest.subarray(sizeOf(rest));
  return Buffer.from(rest.subarray(0, sizeOf(rest)));
}

function contentOf(value: Buffer): Buffer {
  const { header, length } = measure(value);
  return value.subarray(header, header + length);
}

function sizeOf(value: Buffer): number {
  const { header, length } = measure(value);
  return header + length;
}

/** How many bytes tag and length take, and how many follow. */
function measure(value: Buffer): { readonly header: number; readonly length: number } {
  const first = value[1] ?? 0;
  if (first < 0x80) return { header: 2, length: first };
  const bytes = first & 0x7f;
  return { header: 2 + bytes, length: value.readUIntBE(2, bytes) };
}
