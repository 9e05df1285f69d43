import { generateKeyPairSync } from "node:crypto";
import { type CertificateSubject, issueCertificate, readAuthority } from "#base";

/** A certificate and its key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What a server shows, and whom it trusts. */
export interface ServerCertificate extends KeyPair {
  readonly authority: string;
}

const day = 24 * 60 * 60 * 1000;
const tenYears = 10 * 365 * day;

/** Makes the authority of a simulated cluster. */
export function makeAuthority(now: number): KeyPair {
  const subject: CertificateSubject = { commonName: "kubernetes" };
  const { publicKey, privateKey } = keyPair();
  const certificate = issueCertificate(
    { subject, publicKey, purpose: { kind: "authority" }, notBefore: now - day, notAfter: now + tenYears },
    { subject, publicKey, privateKey },
  );
  return { certificate, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

/** Makes what the API server of a simulated cluster shows. */
export function issueServerCertificate(authority: KeyPair, host: string, now: number): ServerCertificate {
  const { publicKey, privateKey } = keyPair();
  const names = [...new Set([host, "127.0.0.1", "localhost", "kubernetes", "kubernetes.default.svc"])];
  const certificate = issueCertificate(
    {
      subject: { commonName: "kube-apiserver" },
      publicKey,
      purpose: { kind: "server", names },
      notBefore: now - day,
      notAfter: now + tenYears,
    },
    readAuthority(authority),
  );
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { certificate, key, authority: authority.certificate };
}

function keyPair() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}
