import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicKey, X509Certificate } from "node:crypto";
import { connect, createServer, type TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock, createLogger, type FakeClock, hours, parseTimestamp, systemClock } from "#base";
import { CredentialsDamagedError } from "../errors.ts";
import { kubeconfigText, writeKubeconfig } from "./kubeconfig.ts";
import { openPki, type Pki } from "./pki.ts";
import { renewCertificates } from "./renewal.ts";

let folder: string;
let clock: FakeClock;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "capstan-pki-")), "pki");
  clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

const open = (names: readonly string[] = []) => openPki({ folder, clock, names });

describe("the keys and certificates of a plane", () => {
  test("are made once, for their owner only", async () => {
    const first = await open();
    expect(await open()).toEqual(first);
    const files = readdirSync(folder);
    expect(files.toSorted()).toEqual([
      "admin.crt",
      "admin.key",
      "apiserver.crt",
      "apiserver.key",
      "ca.crt",
      "ca.key",
      "sa.key",
    ]);
    expect(files.map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual(files.map(() => 0o600));
  });

  test("are what TLS asks for", async () => {
    const { authority, serving, admin } = await open(["plane.example.com", "10.1.2.3", "fd00::1:2"]);
    const [root, server, client] = [authority, serving.certificate, admin.certificate].map(
      (pem) => new X509Certificate(pem),
    ) as [X509Certificate, X509Certificate, X509Certificate];
    expect([root.ca, server.ca, client.ca]).toEqual([true, false, false]);
    expect([server, client].map((each) => each.checkIssued(root) && each.verify(root.publicKey))).toEqual([true, true]);
    expect(root.verify(createPublicKey(root.publicKey.export({ type: "spki", format: "pem" })))).toBe(true);
    expect(server.subjectAltName).toBe(
      "IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:localhost, DNS:plane.example.com, IP Address:10.1.2.3, IP Address:FD00:0:0:0:0:0:1:2",
    );
    expect(client.subject).toBe("O=system:masters\nCN=kubernetes-admin");
    expect(server.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(client.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
  });

  test("serve and present themselves over TLS", async () => {
    // The handshake goes by the clock of the machine.
    const pki = await openPki({ folder, clock: systemClock });
    const { serving, admin, authority } = pki;
    const server = createServer({ cert: serving.certificate, key: serving.key, ca: authority, requestCert: true });
    const accepted = new Promise<TLSSocket>((resolve) => server.once("secureConnection", resolve));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { readonly port: number };
    const client = connect({ host: "127.0.0.1", port, ca: authority, cert: admin.certificate, key: admin.key });
    const peer = await accepted;
    expect(peer.authorized).toBe(true);
    expect(peer.getPeerCertificate().subject).toMatchObject({ CN: "kubernetes-admin", O: "system:masters" });
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  test("are renewed with a third of their life left, under the same keys", async () => {
    const first = await open();
    await clock.advance(hours(24 * 240));
    expect(await open()).toEqual(first);
    await clock.advance(hours(24 * 10));
    const second = await open();
    expect(second.authority).toBe(first.authority);
    expect(second.serving.certificate).not.toBe(first.serving.certificate);
    expect(second.serving.key).toBe(first.serving.key);
    expect(second.admin.certificate).not.toBe(first.admin.certificate);
  });

  test("a renewed authority still vouches for the certificates of the old one", async () => {
    const first = await open();
    await clock.advance(hours(24 * 2500));
    const second = await open();
    expect(second.authority).not.toBe(first.authority);
    expect(new X509Certificate(first.admin.certificate).checkIssued(new X509Certificate(second.authority))).toBe(true);
  });

  test("are renewed while the plane runs", async () => {
    const renewed: Pki[] = [];
    const stop = new AbortController();
    const pki = await open();
    const log = createLogger({ format: "text", level: "error", clock, destination: { write: () => true } });
    await clock.advance(hours(24 * 300));
    const told = new Promise<void>((resolve) => {
      const onRenewed = (next: Pki) => {
        renewed.push(next);
        resolve();
      };
      void renewCertificates(pki, { folder, clock, log, signal: stop.signal, onRenewed });
    });
    await clock.advance(hours(12));
    await told;
    stop.abort();
    expect(renewed[0]?.serving.certificate).not.toBe(pki.serving.certificate);
  });

  test("a serving certificate is made anew for a new name", async () => {
    const first = await open();
    const second = await open(["plane.example.com"]);
    expect(second.serving.certificate).not.toBe(first.serving.certificate);
    expect(second.admin).toEqual(first.admin);
  });

  test.each([
    ["ca.key", undefined, /ca.crt is there and its key .*ca.key is not/],
    ["ca.key", "nonsense", /ca.key holds no private key/],
    ["ca.crt", "nonsense", /ca.crt holds no certificate/],
    ["admin.crt", "nonsense", /admin.crt holds no certificate/],
  ])("a damaged %s is told and not replaced", async (file, text, message) => {
    await open();
    if (text === undefined) rmSync(join(folder, file));
    else writeFileSync(join(folder, file), text);
    await expect(open()).rejects.toThrow(CredentialsDamagedError);
    await expect(open()).rejects.toThrow(message);
  });
});

test("a kubeconfig holds what a client needs, for its owner only", async () => {
  const pki = await open();
  const file = join(folder, "kubeconfig");
  await writeKubeconfig(file, { server: "https://127.0.0.1:6443", pki });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  expect(text).toBe(kubeconfigText({ server: "https://127.0.0.1:6443", pki }));
  expect(text).toContain(Buffer.from(pki.admin.key).toString("base64"));
  expect(text).toContain("current-context: capstan");
});
