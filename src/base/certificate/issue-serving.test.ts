import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { issueServing } from "./issue-serving.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const day = 24 * 60 * 60 * 1000;

test("a server's certificate names its hosts and is vouched for by its own authority", () => {
  const issued = issueServing({
    names: ["web.default.svc", "127.0.0.1", "::1"],
    notBefore: start,
    notAfter: start + day,
  });
  const [authority, certificate] = [new X509Certificate(issued.authority), new X509Certificate(issued.certificate)];
  expect(certificate.subject).toBe("CN=web.default.svc");
  expect(certificate.subjectAltName).toBe("DNS:web.default.svc, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
  expect(certificate.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
  expect(certificate.checkIssued(authority)).toBe(true);
  expect(certificate.verify(authority.publicKey)).toBe(true);
  expect([authority.ca, certificate.ca]).toEqual([true, false]);
  expect([certificate.validFrom, certificate.validTo]).toEqual([
    "Jan  1 00:00:00 2026 GMT",
    "Jan  2 00:00:00 2026 GMT",
  ]);
});

test("two servers have nothing in common", () => {
  const issue = () => issueServing({ names: ["a"], notBefore: start, notAfter: start + day });
  const [one, other] = [issue(), issue()];
  expect(new X509Certificate(one.certificate).verify(new X509Certificate(other.authority).publicKey)).toBe(false);
});
