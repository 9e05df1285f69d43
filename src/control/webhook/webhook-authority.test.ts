import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { hours } from "#base";
import { makeWebhookCertificate, namesMissing, renewWebhookCertificate } from "./webhook-authority.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const year = hours(365 * 24);
const names = ["localhost", "127.0.0.1", "::1"];

test("an authority is made for ten years, and vouches for a certificate of one", () => {
  const { authority, certificate } = makeWebhookCertificate(names, now);
  const [signer, signed] = [new X509Certificate(authority), new X509Certificate(certificate)];
  expect([signer.ca, signed.ca, signed.verify(signer.publicKey)]).toEqual([true, false, true]);
  expect([Date.parse(signer.validTo), Date.parse(signed.validTo)]).toEqual([now + 10 * year, now + year]);
  expect(namesMissing(certificate, [...names, "other"])).toEqual(["other"]);
});

test("what is good is left alone", () => {
  const held = makeWebhookCertificate(names, now);
  expect(renewWebhookCertificate(held, ["127.0.0.1"], now + year / 2)).toBe(held);
});

test("a name that is missing is added by the same authority", () => {
  const held = makeWebhookCertificate(names, now);
  const renewed = renewWebhookCertificate(held, ["webhook.capstan.svc"], now);
  expect(renewed.authority).toBe(held.authority);
  expect(namesMissing(renewed.certificate, [...names, "webhook.capstan.svc"])).toEqual([]);
  expect(renewWebhookCertificate(renewed, ["localhost"], now)).toBe(renewed);
});

test("a certificate is renewed by the same authority when two thirds of its time are over", () => {
  const held = makeWebhookCertificate(names, now);
  const later = now + (year * 3) / 4;
  const renewed = renewWebhookCertificate(held, names, later);
  expect(renewed.authority).toBe(held.authority);
  expect(Date.parse(new X509Certificate(renewed.certificate).validTo)).toBe(later + year);
  expect(namesMissing(renewed.certificate, names)).toEqual([]);
});

test("an authority that comes to its end gets a successor, and is trusted beside it", () => {
  const held = makeWebhookCertificate(names, now);
  const renewed = renewWebhookCertificate(held, names, now + 8 * year);
  const [first, second] = renewed.authority.split(/(?<=-----END CERTIFICATE-----\n)/);
  const successor = new X509Certificate(first ?? "");
  expect(new X509Certificate(second ?? "").fingerprint).toBe(new X509Certificate(held.authority).fingerprint);
  expect(new X509Certificate(renewed.certificate).verify(successor.publicKey)).toBe(true);
  expect(renewWebhookCertificate(renewed, [...names, "more"], now + 8 * year).authority).toBe(renewed.authority);
});

test("what somebody else issues is theirs to renew", () => {
  const { authorityKey: _, ...held } = makeWebhookCertificate(names, now);
  expect(renewWebhookCertificate(held, ["other"], now + 2 * year)).toBe(held);
});
