import { generateKeyPairSync } from "node:crypto";
import { type CertificateSigner, issueCertificate } from "./certificate.ts";

/** What a server shows, and whom its clients have to trust for it; all PEM. */
export interface ServingCertificate {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Under which names a server is reached, and for how long it may say so. */
export interface ServingRequest {
  /** Host names and IP addresses. */
  readonly names: readonly string[];
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Makes a certificate for a server, signed by an authority that is made for it and whose key is forgotten at once. */
export function issueServing({ names, notBefore, notAfter }: ServingRequest): ServingCertificate {
  const [commonName = "server"] = names;
  const subject = { commonName: `${commonName}-ca` };
  const signer: CertificateSigner = { subject, ...keyPair() };
  const { publicKey, privateKey } = keyPair();
  const validity = { notBefore, notAfter };
  return {
    authority: issueCertificate(
      { subject, publicKey: signer.publicKey, purpose: { kind: "authority" }, ...validity },
      signer,
    ),
    certificate: issueCertificate(
      { subject: { commonName }, publicKey, purpose: { kind: "server", names }, ...validity },
      signer,
    ),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function keyPair() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}
