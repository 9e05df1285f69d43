import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from "./der.ts";

/** Whom a certificate is about: for clients the user and the groups. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** The subject of an authority that somebody else made, to the byte: whoever checks a chain compares bytes. */
export interface EncodedSubject {
  readonly encoded: Buffer;
}

/** What a certificate is good for. */
export type CertificatePurpose =
  | { readonly kind: "authority" }
  | { readonly kind: "client" }
  /** `names` are host names and IP addresses. */
  | { readonly kind: "server"; readonly names: readonly string[] };

/** What is to stand in a certificate. */
export interface CertificateRequest {
  readonly subject: CertificateSubject;
  readonly publicKey: KeyObject;
  readonly purpose: CertificatePurpose;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Who signs; a certificate of an authority is signed by its own subject and key. */
export interface CertificateSigner {
  readonly subject: CertificateSubject | EncodedSubject;
  /** An elliptic curve or an RSA key. */
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const oid = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  rsaWithSha256: "1.2.840.113549.1.1.11",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuthentication: "1.3.6.1.5.5.7.3.1",
  clientAuthentication: "1.3.6.1.5.5.7.3.2",
} as const;

const digitalSignature = 0x80;
const certificateSigning = 0x04;

/** Makes a certificate, as PEM. */
export function issueCertificate(request: CertificateRequest, signer: CertificateSigner): string {
  const algorithm = algorithmOf(signer.privateKey);
  const content = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    algorithm,
    issuerOf(signer),
    sequence(time(request.notBefore), time(request.notAfter)),
    nameOf(request.subject),
    keyBytes(request.publicKey),
    explicit(3, sequence(...extensionsOf(request, signer))),
  );
  const signature = sign("sha256", content, signer.privateKey);
  return pem("CERTIFICATE", sequence(content, algorithm, bitString(signature)));
}

function algorithmOf({ asymmetricKeyType }: KeyObject): Buffer {
  return asymmetricKeyType === "rsa"
    ? sequence(objectIdentifier(oid.rsaWithSha256), nothing())
    : sequence(objectIdentifier(oid.ecdsaWithSha256));
}

function issuerOf({ subject }: CertificateSigner): Buffer {
  return "encoded" in subject ? subject.encoded : nameOf(subject);
}

/** Random, so that nobody can tell the next one, and positive. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function nameOf({ commonName, organizations = [] }: CertificateSubject): Buffer {
  const part = (type: string, value: string) => set(sequence(objectIdentifier(type), utf8String(value)));
  const groups = organizations.map((organization) => part(oid.organization, organization));
  return sequence(...groups, part(oid.commonName, commonName));
}

function extensionsOf({ purpose, publicKey }: CertificateRequest, signer: CertificateSigner): readonly Buffer[] {
  const identifiers = [
    extension(oid.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
    // How another authority numbers its key is unknown; a wrong number would break the chain, none does not.
    ...("encoded" in signer.subject
      ? []
      : [extension(oid.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(signer.publicKey))))]),
  ];
  const usage = (bits: number) => criticalExtension(oid.keyUsage, bitString(Buffer.from([bits]), trailingZeros(bits)));
  const extendedUsage = (what: string) => extension(oid.extendedKeyUsage, sequence(objectIdentifier(what)));
  const noAuthority = criticalExtension(oid.basicConstraints, sequence());
  switch (purpose.kind) {
    case "authority":
      return [
        usage(digitalSignature | certificateSigning),
        criticalExtension(oid.basicConstraints, sequence(boolean(true))),
        ...identifiers,
      ];
    case "client":
      return [usage(digitalSignature), extendedUsage(oid.clientAuthentication), noAuthority, ...identifiers];
    case "server":
      return [
        usage(digitalSignature),
        extendedUsage(oid.serverAuthentication),
        noAuthority,
        ...identifiers,
        extension(oid.subjectAlternativeName, sequence(...purpose.names.map(alternativeName))),
      ];
  }
}

function extension(type: string, content: Buffer): Buffer {
  return sequence(objectIdentifier(type), octetString(content));
}

function criticalExtension(type: string, content: Buffer): Buffer {
  return sequence(objectIdentifier(type), boolean(true), octetString(content));
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? implicit(2, Buffer.from(name, "latin1")) : implicit(7, addressBytes(name));
}

/** An IP address as four or sixteen bytes. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail] = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, dottedAsGroups).split("::");
  const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const missing = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return Buffer.from(
    [...before, ...missing, ...after].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16)]),
  );
}

/** The dotted end that an IPv6 address may have, as the two groups that it stands for. */
function dottedAsGroups(_: string, ...digits: readonly string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = digits.map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash("sha256").update(keyBytes(publicKey)).digest().subarray(0, 20);
}

function keyBytes(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: "spki", format: "der" });
}

function trailingZeros(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
