import { generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { type CertificateSigner, type Duration, hours, issueCertificate, readAuthority } from "#base";

/** What several servers share: who vouches for them, and what they show. All PEM. */
export interface WebhookCertificate {
  /** Whom API servers have to trust; after a change of the authority also the one before. */
  readonly authority: string;
  /** Absent where somebody else issues the certificates. */
  readonly authorityKey?: string;
  readonly certificate: string;
  readonly key: string;
}

const lifetimes = { authority: hours(10 * 365 * 24), certificate: hours(365 * 24) };
// Clocks of other machines may be behind.
const grace = hours(24);

/** Makes an authority and a certificate for some names: host names and IP addresses. */
export function makeWebhookCertificate(names: readonly string[], now: number): WebhookCertificate {
  const subject = { commonName: "capstan-webhook-ca" };
  const keys = keyPair();
  const signer: CertificateSigner = { subject, ...keys };
  const authority = issueCertificate(
    {
      subject,
      publicKey: keys.publicKey,
      purpose: { kind: "authority" },
      notBefore: now - grace,
      notAfter: now + lifetimes.authority,
    },
    signer,
  );
  return { authority, authorityKey: pemOf(keys.privateKey), ...issue(signer, names, now) };
}

/** The certificate as it should be: for these names too, and good for months to come. The very same where it is that already. */
export function renewWebhookCertificate(
  held: WebhookCertificate,
  names: readonly string[],
  now: number,
): WebhookCertificate {
  const missing = namesMissing(held.certificate, names);
  const { authority, authorityKey } = held;
  if (missing.length === 0 && !isEnding(held.certificate, lifetimes.certificate, now)) return held;
  if (authorityKey === undefined) return held;
  const all = [...namesIn(held.certificate), ...missing];
  if (isEnding(authority, lifetimes.authority, now)) {
    const made = makeWebhookCertificate(all, now);
    // Servers that have not heard of it yet show what the old one vouches for.
    return { ...made, authority: made.authority + new X509Certificate(authority).toString() };
  }
  const signer = readAuthority({ certificate: authority, key: authorityKey });
  return { authority, authorityKey, ...issue(signer, all, now) };
}

/** Which of some names a certificate is not good for. */
export function namesMissing(pem: string, names: readonly string[]): readonly string[] {
  const certificate = new X509Certificate(pem);
  return names.filter((name) => {
    if (isIP(name) !== 0) return certificate.checkIP(name) === undefined;
    return certificate.checkHost(name, { subject: "never" }) === undefined;
  });
}

function namesIn(pem: string): readonly string[] {
  const { subjectAltName = "" } = new X509Certificate(pem);
  return Array.from(subjectAltName.matchAll(/(?:DNS|IP Address):([^,]+)/g), ([, name = ""]) => name);
}

function issue(signer: CertificateSigner, names: readonly string[], now: number) {
  const { publicKey, privateKey } = keyPair();
  const [commonName = "capstan-webhook"] = names;
  const certificate = issueCertificate(
    {
      subject: { commonName },
      publicKey,
      purpose: { kind: "server", names },
      notBefore: now - grace,
      notAfter: now + lifetimes.certificate,
    },
    signer,
  );
  return { certificate, key: pemOf(privateKey) };
}

/** True in the last third of a lifetime. */
function isEnding(pem: string, lifetime: Duration, now: number): boolean {
  return Date.parse(new X509Certificate(pem).validTo) - now < lifetime / 3;
}

function keyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
