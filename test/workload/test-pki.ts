import { generateKeyPairSync } from "node:crypto";
import { type CertificatePurpose, type CertificateSigner, issueCertificate } from "#base";

/** An authority of a test, and what it signs. */
export interface TestPki {
  /** Its own certificate in PEM. */
  readonly authority: string;
  serving(options?: { readonly expired?: boolean }): KeyAndCertificate;
}

/** A certificate and its key in PEM. */
export interface KeyAndCertificate {
  readonly cert: string;
  readonly key: string;
}

const year = 365 * 24 * 3600 * 1000;
const names = ["127.0.0.1", "localhost"];

/** Makes an authority that nobody has heard of before. */
export function createTestPki(): TestPki {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signer = { subject: { commonName: "test" }, ...keys };
  const now = Date.parse("2026-01-01T00:00:00Z");
  const authority = issue(signer, { purpose: { kind: "authority" }, publicKey: keys.publicKey, from: now - 10 * year });
  return {
    authority,
    serving({ expired = false } = {}) {
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const purpose = { kind: "server", names } as const;
      const from = expired ? now - 9 * year : now - year;
      const cert = issue(signer, { purpose, publicKey, from, ...(expired ? { years: 1 } : {}) });
      return { cert, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
    },
  };
}

interface Issue {
  readonly purpose: CertificatePurpose;
  readonly publicKey: CertificateSigner["publicKey"];
  readonly from: number;
  readonly years?: number;
}

function issue(signer: CertificateSigner, { purpose, publicKey, from, years = 50 }: Issue): string {
  const subject = { commonName: "test" };
  return issueCertificate({ subject, publicKey, purpose, notBefore: from, notAfter: from + years * year }, signer);
}
