import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { issueCertificate } from "./certificate.ts";
import { readAuthority } from "./read-authority.ts";

const notBefore = Date.parse("2025-01-01T00:00:00Z");
const notAfter = Date.parse("2035-01-01T00:00:00Z");

test.each(["ec", "rsa"])("an authority of openssl with a key of type %s signs what it can be held to", (type) => {
  const certificate = fixture(`${type}.crt`);
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = { commonName: "kubernetes-admin", organizations: ["system:masters"] };
  const issued = issueCertificate(
    { subject, publicKey, purpose: { kind: "client" }, notBefore, notAfter },
    readAuthority({ certificate, key: fixture(`${type}.key`) }),
  );
  const parsed = new X509Certificate(issued);
  expect(parsed.verify(createPublicKey(certificate))).toBe(true);
  expect(parsed.checkIssued(new X509Certificate(certificate))).toBe(true);
  expect(parsed.issuer).toBe("O=Some people\nCN=kubernetes");
});

test("a key that belongs to another certificate is refused", () => {
  const pair = { certificate: fixture("ec.crt"), key: fixture("rsa.key") };
  expect(() => readAuthority(pair)).toThrow("the key does not belong to the certificate");
});

test("what is no certificate, or not that of an authority, is refused", () => {
  expect(() => readAuthority({ certificate: "garbage", key: "garbage" })).toThrow("certificate of the authority");
});

function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../../test/fixtures/authority", name), "utf8");
}
