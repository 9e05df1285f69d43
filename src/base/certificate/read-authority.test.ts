import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { issueCertificate } from "./certificate.ts";
import { readAuthority } from "./read-authority.ts";

const notBefore = Date.parse("2025-01-01T00:00:00Z");
const notAfter = Date.parse("2035-01-01T00:00:00Z");

for (const [curve, args] of [
  ["P-256", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]],
  ["RSA", ["-newkey", "rsa:2048"]],
] as const) {
  test(`an authority with a key of ${curve} that openssl made signs certificates that openssl takes`, () => {
    const folder = mkdtempSync(join(tmpdir(), "authority-"));
    try {
      const at = (name: string) => join(folder, name);
      const own = ["-nodes", "-keyout", at("key"), "-out", at("crt"), "-subj", "/O=Some people/CN=kubernetes"];
      execFileSync("openssl", ["req", "-x509", ...args, ...own, "-days", "3650"], { stdio: "pipe" });
      const [certificate, key] = [readFileSync(at("crt"), "utf8"), readFileSync(at("key"), "utf8")];
      const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const subject = { commonName: "kubernetes-admin", organizations: ["system:masters"] };
      const issued = issueCertificate(
        { subject, publicKey, purpose: { kind: "client" }, notBefore, notAfter },
        readAuthority({ certificate, key }),
      );
      const parsed = new X509Certificate(issued);
      expect(parsed.verify(createPublicKey(certificate))).toBe(true);
      expect(parsed.checkIssued(new X509Certificate(certificate))).toBe(true);
      expect(parsed.issuer).toBe("O=Some people\nCN=kubernetes");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test("what is no certificate, or not that of an authority, is refused", () => {
  expect(() => readAuthority({ certificate: "garbage", key: "garbage" })).toThrow("certificate of the authority");
});
