import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { request } from "node:https";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CertificateRequest, issueCertificate, systemClock } from "#base";
import type { HttpServer } from "#apiserver/http";
import { openMemoryStore } from "#apiserver/store";
import { type ApiServer, openApiServer } from "./api-server.ts";
import { createRandom } from "./test-server.ts";

// Whoever shows what is not good is refused over the wire, with the same words whatever was wrong with it.
let server: ApiServer;
let http: HttpServer;

const issuer = "https://issuer.test";
const now = systemClock.instant();
const day = 24 * 60 * 60 * 1000;
const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const signerOf = (privateKey: KeyObject, commonName: string) => ({
  subject: { commonName },
  privateKey,
  publicKey: createPublicKey(privateKey),
});
const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
const life = { notBefore: now - day, notAfter: now + day };

const [ours, theirs] = [signerOf(newKey(), "ours"), signerOf(newKey(), "ours")];
const authority = issueCertificate(
  { subject: ours.subject, publicKey: ours.publicKey, purpose: { kind: "authority" }, ...life },
  ours,
);
const serverKey = newKey();
const serving = issueCertificate(
  {
    subject: { commonName: "server" },
    publicKey: createPublicKey(serverKey),
    purpose: { kind: "server", names: ["127.0.0.1"] },
    ...life,
  },
  ours,
);
const tokenKey = newKey();

beforeAll(async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  server = await openApiServer({
    store: openMemoryStore(),
    clock: systemClock,
    log,
    random: createRandom(1),
    uuid: randomUUID,
    security: { authority, tokenKey: pem(tokenKey), issuer },
    onFatal: (error) => {
      throw error;
    },
  });
  const { security } = server;
  if (security === undefined) throw new Error("the server has no security");
  const tls = { cert: serving, key: pem(serverKey), clientCa: authority };
  http = await server.listen({ security, answered: server.answered, tls, log, port: 0 });
});

afterAll(async () => {
  await http.close();
  await server.close();
});

const adminKey = newKey();
const certificate = (given: Partial<CertificateRequest>, signer = ours) => ({
  cert: issueCertificate(
    {
      subject: { commonName: "admin", organizations: ["system:masters"] },
      publicKey: createPublicKey(adminKey),
      purpose: { kind: "client" },
      ...life,
      ...given,
    },
    signer,
  ),
  key: pem(adminKey),
});

test("a certificate of our own is good", async () => {
  expect(await whoAmI(certificate({}))).toMatchObject({ code: 201 });
});

test.each([
  ["has expired", certificate({ notBefore: now - 2 * day, notAfter: now - day })],
  ["is not in force yet", certificate({ notBefore: now + day, notAfter: now + 2 * day })],
  ["comes from another authority of the same name", certificate({}, theirs)],
  ["is signed by nobody but itself", certificate({}, { ...signerOf(adminKey, "admin") })],
  ["is one for servers", certificate({ purpose: { kind: "server", names: ["127.0.0.1"] } })],
])("a certificate that %s is refused", async (_, shown) => {
  expect(await whoAmI(shown)).toEqual(refusal);
});

const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: [issuer],
  iat: now / 1000,
  nbf: now / 1000,
  exp: now / 1000 + 3600,
  sub: "system:serviceaccount:default:default",
  "kubernetes.io": { namespace: "default", serviceaccount: { name: "default", uid: "x" } },
  ...more,
});
const signed = (key: KeyObject, more?: JWTPayload) =>
  new SignJWT(claims(more)).setProtectedHeader({ alg: "ES256" }).sign(key);

test.each<[string, () => string | Promise<string>]>([
  ["is unsigned", () => new UnsecuredJWT(claims()).encode()],
  ["is signed with another key", () => signed(newKey())],
  ["is for others", () => signed(tokenKey, { aud: ["others"] })],
  ["comes from another issuer", () => signed(tokenKey, { iss: "https://other.test" })],
  ["has expired", () => signed(tokenKey, { exp: now / 1000 - 3600 })],
  ["names an account that is not there", () => signed(tokenKey)],
  ["is no token at all", () => "nonsense"],
])("a token that %s is refused", async (_, token) => {
  expect(await whoAmI({}, { authorization: `Bearer ${await token()}` })).toEqual(refusal);
});

const refusal = {
  code: 401,
  body: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Unauthorized",
    reason: "Unauthorized",
    code: 401,
  },
};

/** Asks the server who it takes the caller for, over a connection of its own. */
function whoAmI(shown: object, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ readonly code: number; readonly body: unknown }>((resolve, reject) => {
    const options = { port: http.port, host: "127.0.0.1", ca: authority, agent: false, ...shown } as const;
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const all = { "content-type": "application/json", ...headers };
    const sent = request({ ...options, path, method: "POST", headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
    sent.on("error", reject);
    sent.end(JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }));
  });
}
