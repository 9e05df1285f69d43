import { expect, test } from "vitest";
import { createLogger, createFakeClock, hours, systemClock } from "#base";
import { type Client, createClient } from "#client";
import { type KubeObject } from "#machinery";
import { openEmbeddedServer } from "#testkit";
import { certificateSecret, ensureCertificateSecret } from "./certificate-secret.ts";
import type { CertificatePair } from "./serving-certificate.ts";
import { makeWebhookCertificate, namesMissing } from "./webhook-authority.ts";

const Secret = { group: "", version: "v1", kind: "Secret" } as const;
const secret = { namespace: "default", name: "webhooks" };
const names = ["localhost"];
const clock = createFakeClock(systemClock.now());
const log = createLogger({ format: "text", level: "error", clock, destination: { write: () => undefined } });
const unaborted = new AbortController().signal;

async function open(): Promise<{ readonly client: Client } & AsyncDisposable> {
  // Its time stands still, because it has much to do in a year.
  const server = await openEmbeddedServer();
  const client = createClient(server.transport, { fieldOwner: "capstan" });
  return { client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function held(data: Readonly<Record<string, string>>): KubeObject {
  const encoded = Object.entries(data).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  const object = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: secret,
    type: "Opaque",
    data: Object.fromEntries(encoded),
  };
  return object;
}

test("whoever comes at the same time gets the same authority and certificate", async () => {
  await using world = await open();
  const { client } = world;
  const all = await Promise.all(
    Array.from({ length: 5 }, () => ensureCertificateSecret({ client, clock, secret, names })),
  );
  for (const one of all) expect(one).toEqual(all[0]);
});

test("names are added by several at the same time, and none is lost", async () => {
  await using world = await open();
  const { client } = world;
  await ensureCertificateSecret({ client, clock, secret, names });
  const more = ["a.default.svc", "b.default.svc", "10.0.0.7"];
  await Promise.all(more.map((name) => ensureCertificateSecret({ client, clock, secret, names: [name] })));
  const { certificate } = await ensureCertificateSecret({ client, clock, secret, names });
  expect(namesMissing(certificate, [...names, ...more])).toEqual([]);
});

test("a manager shows what others put there, and renews in time", async () => {
  await using world = await open();
  const { client } = world;
  const source = certificateSecret({ client, clock, log, secret, names });
  const first = await source.load({ signal: unaborted });
  let onTold: (pair: CertificatePair) => void = () => undefined;
  const next = () => new Promise<CertificatePair>((resolve) => (onTold = resolve));
  const stop = new AbortController();
  const following = source.follow((pair) => onTold(pair), { signal: stop.signal });

  const another = next();
  await ensureCertificateSecret({ client, clock, secret, names: ["other"] });
  const second = await another;
  expect(second.certificate).not.toBe(first.certificate);
  expect(namesMissing(second.certificate, ["localhost", "other"])).toEqual([]);

  const renewed = next();
  await clock.advance(hours(300 * 24));
  expect((await renewed).certificate).not.toBe(second.certificate);
  stop.abort();
  await following;
});

test("a certificate that somebody else issues is served, and not for names that it does not have", async () => {
  await using world = await open();
  const { client } = world;
  const made = makeWebhookCertificate(["webhook.capstan.svc"], clock.instant());
  await client.create(Secret, held({ "ca.crt": made.authority, "tls.crt": made.certificate, "tls.key": made.key }));
  const source = certificateSecret({ client, clock, log, secret, names });
  expect(await source.load({ signal: unaborted })).toMatchObject({ certificate: made.certificate, key: made.key });
  await expect(ensureCertificateSecret({ client, clock, secret, names })).rejects.toThrow(
    "the certificate in Secret default/webhooks is not good for localhost, and without ca.key it cannot be issued again",
  );
});

test.each([
  ["nothing", {}, "Secret default/webhooks does not hold a certificate and its key in PEM"],
  ["no authority", { "tls.crt": "certificate", "tls.key": "key" }, "Secret default/webhooks has no ca.crt"],
])("a Secret with %s is refused", async (_name, data, why) => {
  await using world = await open();
  const { client } = world;
  const made = makeWebhookCertificate(names, clock.instant());
  const real = Object.fromEntries(
    Object.keys(data).map((name) => [name, name === "tls.crt" ? made.certificate : made.key]),
  );
  await client.create(Secret, held(real));
  await expect(ensureCertificateSecret({ client, clock, secret, names })).rejects.toThrow(why);
});
