import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { join } from "node:path";
import {
  type CertificatePurpose,
  type CertificateSigner,
  type CertificateSubject,
  type Clock,
  issueCertificate,
} from "#base";
import { CredentialsDamagedError } from "../errors.ts";
import { readIfThere, writePrivately } from "./private-file.ts";

/** A certificate with its key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The keys and certificates that a plane lives on. */
export interface Pki {
  /** The certificate of the plane's own authority, PEM. */
  readonly authority: string;
  readonly serving: KeyPair;
  /** Of the administrator, who is in `system:masters`. */
  readonly admin: KeyPair;
  /** Signs tokens of service accounts, PEM. */
  readonly tokenKey: string;
}

export interface PkiOptions {
  /** Where the files lie; made if it is not there. */
  readonly folder: string;
  readonly clock: Clock;
  /** Host names and IP addresses under which the server is reached, besides loopback. */
  readonly names?: readonly string[];
}

const authoritySubject: CertificateSubject = { commonName: "capstan-ca" };
const servingSubject: CertificateSubject = { commonName: "kube-apiserver" };
const adminSubject: CertificateSubject = { commonName: "kubernetes-admin", organizations: ["system:masters"] };
const loopback = ["127.0.0.1", "::1", "localhost"];

const day = 24 * 60 * 60 * 1000;
const authorityLife = 3650 * day;
const leafLife = 365 * day;
// Clocks of clients may be behind.
const headStart = 60 * 60 * 1000;

/**
 * Loads the plane's authority and its certificates, making what is missing and renewing what has less than a third of
 * its life left. The key of the authority stays for ever, so that a renewal breaks no client.
 */
export async function openPki({ folder, clock, names = [] }: PkiOptions): Promise<Pki> {
  const now = clock.instant();
  const authority = await openAuthority(folder, now);
  const leaf = (name: string, subject: CertificateSubject, purpose: CertificatePurpose) =>
    openLeaf(join(folder, name), { subject, purpose, authority, now });
  const servingNames = [...new Set([...loopback, ...names])];
  return {
    authority: authority.certificate,
    serving: await leaf("apiserver", servingSubject, { kind: "server", names: servingNames }),
    admin: await leaf("admin", adminSubject, { kind: "client" }),
    tokenKey: await openKey(join(folder, "sa.key")),
  };
}

interface Authority {
  readonly certificate: string;
  readonly signer: CertificateSigner;
}

async function openAuthority(folder: string, now: number): Promise<Authority> {
  const file = join(folder, "ca.crt");
  const present = await readIfThere(file);
  if (present !== undefined && (await readIfThere(join(folder, "ca.key"))) === undefined) {
    throw new CredentialsDamagedError(`${file} is there and its key ${join(folder, "ca.key")} is not`);
  }
  const privateKey = keyIn(await openKey(join(folder, "ca.key")), join(folder, "ca.key"));
  const publicKey = createPublicKey(privateKey);
  const signer: CertificateSigner = { subject: authoritySubject, privateKey, publicKey };
  if (present !== undefined) {
    const certificate = certificateIn(present, file);
    if (!certificate.checkPrivateKey(privateKey)) {
      throw new CredentialsDamagedError(`the key of ${file} does not belong to it`);
    }
    if (certificate.subject !== `CN=${authoritySubject.commonName}`) {
      throw new CredentialsDamagedError(`${file} is of another authority`);
    }
    if (!isDue(certificate, now)) return { certificate: present, signer };
  }
  const validity = { notBefore: now - headStart, notAfter: now + authorityLife };
  const certificate = issueCertificate(
    { subject: authoritySubject, publicKey, purpose: { kind: "authority" }, ...validity },
    signer,
  );
  await writePrivately(file, certificate);
  return { certificate, signer };
}

interface Leaf {
  readonly subject: CertificateSubject;
  readonly purpose: CertificatePurpose;
  readonly authority: Authority;
  readonly now: number;
}

async function openLeaf(path: string, { subject, purpose, authority, now }: Leaf): Promise<KeyPair> {
  const key = await openKey(`${path}.key`);
  const privateKey = keyIn(key, `${path}.key`);
  const present = await readIfThere(`${path}.crt`);
  if (present !== undefined) {
    const certificate = certificateIn(present, `${path}.crt`);
    const fits = certificate.checkPrivateKey(privateKey) && certificate.verify(authority.signer.publicKey);
    if (fits && !isDue(certificate, now) && isFor(certificate, purpose)) return { certificate: present, key };
  }
  const certificate = issueCertificate(
    {
      subject,
      purpose,
      publicKey: createPublicKey(privateKey),
      notBefore: now - headStart,
      notAfter: now + leafLife,
    },
    authority.signer,
  );
  await writePrivately(`${path}.crt`, certificate);
  return { certificate, key };
}

/** The key in a file, made if there is none: ECDSA P-256. */
async function openKey(file: string): Promise<string> {
  const present = await readIfThere(file);
  if (present !== undefined) return present;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  await writePrivately(file, key);
  return key;
}

function keyIn(text: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key;
  } catch (cause) {
    throw new CredentialsDamagedError(`${file} holds no private key`, { cause });
  }
  throw new CredentialsDamagedError(`${file} holds no key of the curve P-256`);
}

function certificateIn(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new CredentialsDamagedError(`${file} holds no certificate`, { cause });
  }
}

function isDue({ validFrom, validTo }: X509Certificate, now: number): boolean {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return now < from || to - now < (to - from) / 3;
}

/** False for a serving certificate that lacks a name under which the server is to be reached by now. */
function isFor(certificate: X509Certificate, purpose: CertificatePurpose): boolean {
  if (purpose.kind !== "server") return true;
  return purpose.names.every((name) =>
    isIP(name) === 0 ? certificate.checkHost(name) !== undefined : certificate.checkIP(name) !== undefined,
  );
}
