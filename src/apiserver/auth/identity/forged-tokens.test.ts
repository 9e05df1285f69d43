import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { createFakeClock, minutes, parseTimestamp } from "#base";
import { ApiError, type KubeObject } from "#machinery";
import { AccountTokens } from "./account-tokens.ts";
import { Authenticator } from "./authenticator.ts";
import { ClientCertificates } from "./client-certificate.ts";
import { parseTokenFile } from "./token-file.ts";

const issuer = "https://plane.test/";
const keys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

const own = keys();
const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
const now = clock.instant() / 1000;
const tokens = new AccountTokens({ issuer, key: pem(own.privateKey) });

/** What is there: objects by resource and key. */
const objects = new Map<string, KubeObject>();
const plane = {
  get: ({ resource }: { readonly resource: string }, key: { readonly namespace?: string; readonly name: string }) =>
    objects.get(`${resource}/${key.namespace ?? ""}/${key.name}`),
};
const place = (resource: string, kind: string, name: string, more: object = {}) =>
  objects.set(`${resource}/${resource === "nodes" ? "" : "n"}/${name}`, {
    apiVersion: "v1",
    kind,
    metadata: { name, uid: `${name}-uid`, ...more },
  });
place("serviceaccounts", "ServiceAccount", "robot");
place("serviceaccounts", "ServiceAccount", "leaving", { deletionTimestamp: parseTimestamp("2025-12-31T00:00:00Z") });
place("serviceaccounts", "ServiceAccount", "about-to-leave", { deletionTimestamp: clock.now() });
place("pods", "Pod", "pod");
place("secrets", "Secret", "secret");
place("nodes", "Node", "node");

const authenticator = new Authenticator({
  certificates: new ClientCertificates([], clock),
  accountTokens: tokens,
  staticTokens: parseTokenFile("joe-token,joe,7"),
  plane,
  clock,
  audiences: [issuer],
});

const account = (name: string, uid = `${name}-uid`) => ({ name, uid });
const claims = (own_: object = {}, more: JWTPayload = {}): JWTPayload => ({
  aud: [issuer],
  iss: issuer,
  iat: now,
  nbf: now,
  exp: now + 3600,
  jti: "id",
  "kubernetes.io": { namespace: "n", serviceaccount: account("robot"), ...own_ },
  ...more,
});
const signed = (payload: JWTPayload, key: KeyObject = own.privateKey, alg = "ES256") =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(key);

describe("a token that is good", () => {
  test.each([
    ["is one of ours", claims()],
    ["expired less than a minute ago, as clocks differ", claims({}, { exp: now - 59 })],
    ["is bound to what is there", claims({ pod: account("pod"), node: account("node") })],
    ["is bound to a Secret", claims({ secret: account("secret") })],
    ["is bound to a Node", claims({ node: account("node") })],
    ["is for others too", claims({}, { aud: ["other", issuer] })],
    ["is of an account that has just been deleted", claims({ serviceaccount: account("about-to-leave") })],
  ])("%s", async (_, payload) => {
    expect(await authenticator.verify(await signed(payload), [issuer])).toMatchObject({ kind: "good" });
  });

  test("is good once more when it is shown again, and no longer than it says", async () => {
    const later = createFakeClock(clock.now());
    const again = new Authenticator({
      certificates: new ClientCertificates([], later),
      accountTokens: tokens,
      staticTokens: () => undefined,
      plane,
      clock: later,
      audiences: [issuer],
    });
    const token = await signed(claims());
    expect(await again.verify(token, [issuer])).toMatchObject({ kind: "good" });
    await later.advance(minutes(61));
    expect(await again.verify(token, [issuer])).toMatchObject({ kind: "good" });
    await later.advance(minutes(1));
    expect(await again.verify(token, [issuer])).toMatchObject({ kind: "refused" });
  });
});

describe("a token that is refused", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const invalidated = "service account token has been invalidated";
  const tampered = async () => {
    const [head = "", , signature = ""] = (await signed(claims())).split(".");
    const body = Buffer.from(JSON.stringify(claims({ serviceaccount: account("admin") }))).toString("base64url");
    return [head, body, signature].join(".");
  };
  const badSignature = "[invalid bearer token, the signature of the token is not valid]";
  test.each<[string, () => string | Promise<string>, string]>([
    ["is unsigned", () => new UnsecuredJWT(claims()).encode(), badSignature],
    ["is signed with another key", () => signed(claims(), keys().privateKey), badSignature],
    ["is signed in another way", () => signed(claims(), rsa.privateKey, "RS256"), badSignature],
    [
      "is signed with the public key as a secret",
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: "HS256" })
          .sign(Buffer.from(own.publicKey.export({ type: "spki", format: "pem" }).toString())),
      badSignature,
    ],
    ["was tampered with", tampered, badSignature],
    ["has no signature", async () => (await signed(claims())).replace(/[^.]+$/, ""), badSignature],
    ["is of another issuer", () => signed(claims({}, { iss: "https://other/" })), "invalid bearer token"],
    ["is no token", () => "a.b.c", "invalid bearer token"],
    ["is a word", () => "word", "invalid bearer token"],
    [
      "is for others",
      () => signed(claims({}, { aud: ["x"] })),
      `[invalid bearer token, token audiences ["x"] is invalid for the target audiences ["${issuer}"]]`,
    ],
    [
      "has expired",
      () => signed(claims({}, { exp: now - 61 })),
      "[invalid bearer token, service account token has expired]",
    ],
    [
      "is not valid yet",
      () => signed(claims({}, { nbf: now + 61 })),
      "[invalid bearer token, service account token is not valid yet]",
    ],
    [
      "comes from the future",
      () => signed(claims({}, { iat: now + 61 })),
      "[invalid bearer token, service account token is issued in the future]",
    ],
    [
      "is of an account that is not there",
      () => signed(claims({ serviceaccount: account("gone") })),
      '[invalid bearer token, serviceaccounts "gone" not found]',
    ],
    [
      "is of an earlier account of that name",
      () => signed(claims({ serviceaccount: account("robot", "earlier") })),
      "[invalid bearer token, service account UID (robot-uid) does not match claim (earlier)]",
    ],
    [
      "is of an account that should have been gone",
      () => signed(claims({ serviceaccount: account("leaving") })),
      `[invalid bearer token, ${invalidated}]`,
    ],
    ...["pod", "secret", "node"].flatMap((kind): [string, () => Promise<string>, string][] => [
      [
        `is bound to a ${kind} that is gone`,
        () => signed(claims({ [kind]: account("gone") })),
        `[invalid bearer token, ${invalidated}]`,
      ],
      [
        `is bound to an earlier ${kind}`,
        () => signed(claims({ [kind]: account(kind, "earlier") })),
        `[invalid bearer token, ${invalidated}]`,
      ],
    ]),
    [
      "names no account",
      () => signed(claims({}, { "kubernetes.io": {} })),
      "[invalid bearer token, the token names no service account]",
    ],
    [
      "never ends",
      () => {
        const { exp: _, ...endless } = claims();
        return signed(endless);
      },
      "[invalid bearer token, the token names no service account]",
    ],
  ])("%s", async (_, make, why) => {
    const token = await make();
    expect(await authenticator.verify(token, [issuer])).toEqual({ kind: "refused", why });
    const headers = { authorization: `Bearer ${token}` };
    const refusal = await authenticator.authenticate({ headers }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect((refusal as ApiError).status).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Unauthorized",
      reason: "Unauthorized",
      code: 401,
    });
  });
});

describe("an Authorization header", () => {
  const anonymous = { name: "system:anonymous", groups: ["system:unauthenticated"] };
  const joe = { name: "joe", uid: "7", groups: ["system:authenticated"] };
  test.each([
    [undefined, anonymous],
    ["Basic am9lOmpvZQ==", anonymous],
    ["Bearer", anonymous],
    ["Bearer ", anonymous],
    ["bearer  joe-token", anonymous],
    ["Bearer joe-token", joe],
    ["bEARER joe-token", joe],
  ])("%s", async (authorization, caller) => {
    const headers = authorization === undefined ? {} : { authorization };
    expect(await authenticator.authenticate({ headers })).toEqual(caller);
  });
});
