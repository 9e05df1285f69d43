import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { InvalidAuthorityError, issueCertificate } from "#base";
import { parseYaml } from "#machinery";
import { describe, expect, test } from "vitest";
import { kubeconfigFor } from "./kubeconfig.ts";

const now = Date.parse("2025-01-15T12:00:00Z");
const hour = 60 * 60 * 1000;

const authorities = {
  "a P-256 key": authorityOf(generateKeyPairSync("ec", { namedCurve: "P-256" })),
  "a P-384 key": authorityOf(generateKeyPairSync("ec", { namedCurve: "P-384" })),
  "an RSA key": authorityOf(generateKeyPairSync("rsa", { modulusLength: 2048 })),
};

describe.each(Object.entries(authorities))("a kubeconfig from an authority with %s", (_, authority) => {
  const text = kubeconfigFor("c1", "https://cluster.test:6443", authority, now);
  const config = parseYaml(text) as unknown as Kubeconfig;
  const certificate = new X509Certificate(
    Buffer.from(config.users[0]?.user["client-certificate-data"] ?? "", "base64"),
  );

  test("names the cluster and its administrator", () => {
    expect(config).toMatchObject({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c1", cluster: { server: "https://cluster.test:6443" } }],
      contexts: [{ name: "c1-admin@c1", context: { cluster: "c1", user: "c1-admin" } }],
      "current-context": "c1-admin@c1",
      users: [{ name: "c1-admin" }],
    });
    const data = config.clusters[0]?.cluster["certificate-authority-data"] ?? "";
    expect(Buffer.from(data, "base64").toString()).toBe(authority.certificate);
  });

  test("lets an administrator in for a year, and a clock that is behind too", () => {
    expect(certificate.subject).toBe("O=system:masters\nCN=kubernetes-admin");
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect([certificate.validFrom, certificate.validTo]).toEqual([
      "Jan 15 11:55:00 2025 GMT",
      "Jan 15 12:00:00 2026 GMT",
    ]);
  });

  test("has the key of its certificate", () => {
    const key = Buffer.from(config.users[0]?.user["client-key-data"] ?? "", "base64").toString();
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });
});

test.each([
  ["nothing", { certificate: "", key: "" }],
  ["no PEM", { certificate: "x", key: "y" }],
  ["the key of another", { ...authorities["a P-256 key"], key: authorities["an RSA key"].key }],
])("an authority of %s is refused", (_, authority) => {
  expect(() => kubeconfigFor("c1", "https://cluster.test:6443", authority, now)).toThrow(InvalidAuthorityError);
});

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly "certificate-authority-data": string } }[];
  readonly users: readonly {
    readonly user: { readonly "client-certificate-data": string; readonly "client-key-data": string };
  }[];
}

function authorityOf({ publicKey, privateKey }: ReturnType<typeof generateKeyPairSync>) {
  const subject = { commonName: "kubernetes" };
  const certificate = issueCertificate(
    { subject, publicKey, purpose: { kind: "authority" }, notBefore: now - hour, notAfter: now + 10 * hour },
    { subject, publicKey, privateKey },
  );
  return { certificate, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}
