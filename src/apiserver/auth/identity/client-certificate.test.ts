import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type CertificateRequest,
  type CertificateSigner,
  createFakeClock,
  hours,
  issueCertificate,
  parseTimestamp,
} from "#base";
import { ClientCertificates } from "./client-certificate.ts";

const start = parseTimestamp("2026-01-01T00:00:00Z");
const instant = Date.parse(start);
const day = 24 * 60 * 60 * 1000;
const key = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

function signerOf(privateKey: KeyObject, commonName = "ca"): CertificateSigner {
  return { subject: { commonName }, privateKey, publicKey: createPublicKey(privateKey) };
}

const ours = signerOf(key());
const life = { notBefore: instant - day, notAfter: instant + day };
const authority = issueCertificate(
  { subject: { commonName: "ca" }, publicKey: ours.publicKey, purpose: { kind: "authority" }, ...life },
  ours,
);
const clientKey = createPublicKey(key());
const issue = (given: Partial<CertificateRequest> = {}, signer = ours) => ({
  raw: new X509Certificate(
    issueCertificate(
      {
        subject: { commonName: "joe", organizations: ["devs", "ops"] },
        publicKey: clientKey,
        purpose: { kind: "client" },
        ...life,
        ...given,
      },
      signer,
    ),
  ).raw,
});

const verdict = (shown: { readonly raw: Uint8Array }) =>
  new ClientCertificates([authority], createFakeClock(start)).callerOf(shown);

describe("a client certificate", () => {
  test("names a user, his groups, and itself", () => {
    const shown = issue();
    const fingerprint = new X509Certificate(shown.raw).fingerprint256.replaceAll(":", "").toLowerCase();
    expect(verdict(shown)).toEqual({
      kind: "known",
      caller: {
        name: "joe",
        groups: ["devs", "ops"],
        extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
      },
    });
  });

  test("cannot slip a group into a name", () => {
    expect(verdict(issue({ subject: { commonName: "joe\nO=system:masters" } }))).toMatchObject({
      caller: { name: "joe\nO=system:masters", groups: [] },
    });
  });

  test("without a name is nobody's", () => {
    expect(verdict(issue({ subject: { commonName: "", organizations: ["devs"] } }))).toEqual({ kind: "nobody" });
  });

  const impostor = signerOf(key());
  test.each([
    ["that has expired", issue({ notAfter: instant - 1000 }), "the certificate has expired"],
    ["of tomorrow", issue({ notBefore: instant + 1000 }), "the certificate is not valid yet"],
    ["of another authority", issue({}, signerOf(key(), "other")), "the certificate was signed by an unknown authority"],
    [
      "of an authority that borrows our name",
      issue({}, impostor),
      "the certificate was signed by an unknown authority",
    ],
    [
      "of a server",
      issue({ purpose: { kind: "server", names: ["localhost"] } }),
      "the certificate is not one for clients",
    ],
    [
      "signed by a client",
      issue({}, { ...signerOf(key()), subject: { commonName: "joe" } }),
      "the certificate was signed by an unknown authority",
    ],
    ["that is none", { raw: Buffer.from("nonsense") }, "the certificate cannot be read"],
  ])("%s is refused", (_, shown, why) => {
    expect(verdict(shown)).toEqual({ kind: "refused", why });
  });

  test("is looked at again when time has passed", async () => {
    const clock = createFakeClock(start);
    const certificates = new ClientCertificates([authority], clock);
    const shown = issue();
    expect(certificates.callerOf(shown).kind).toBe("known");
    await clock.advance(hours(25));
    expect(certificates.callerOf(shown)).toEqual({ kind: "refused", why: "the certificate has expired" });
  });
});
