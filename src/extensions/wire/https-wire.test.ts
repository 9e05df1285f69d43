import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  createFakeClock,
  describeError,
  type FakeClock,
  hours,
  issueServing,
  minutes,
  parseTimestamp,
  seconds,
  systemClock,
} from "#base";
import { BeforeClusterDelete } from "../catalog/lifecycle-hooks.ts";
import { createExtensionClient, type ExtensionClientOptions } from "../client/create-extension-client.ts";
import { proceed } from "../kit/answers.ts";
import { createExtension } from "../kit/create-extension.ts";
import { anExtensionConfig, recordedLog } from "../test-extension-config.ts";

const now = systemClock.instant();
const validity = { notBefore: now - hours(1), notAfter: now + hours(1) };
const [ours, others] = [0, 1].map(() => issueServing({ names: ["127.0.0.1", "localhost"], ...validity })) as [
  ReturnType<typeof issueServing>,
  ReturnType<typeof issueServing>,
];
const bundle = (pem: string) => Buffer.from(pem).toString("base64");
const cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "c1", namespace: "default" },
  spec: {},
} as const;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server that does as it pleases. */
async function rogue(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  tls = ours,
): Promise<{ readonly url: string; readonly connections: () => number }> {
  let connections = 0;
  const server = createServer({ cert: tls.certificate, key: tls.key }, answer);
  server.on("secureConnection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

function clientOf(options: Partial<ExtensionClientOptions> = {}) {
  const client = createExtensionClient({
    client: { get: () => Promise.reject(new Error("nobody asks for namespaces")) },
    log: recordedLog().log,
    ...options,
  });
  client.warmUp([]);
  closing.push(() => client.close());
  return client;
}

const configOf = (url: string, caBundle = bundle(ours.authority)) =>
  anExtensionConfig({
    clientConfig: { url, ...(caBundle === "" ? {} : { caBundle }) },
    handlers: [
      {
        name: "h.ext",
        requestHook: { apiVersion: BeforeClusterDelete.apiVersion, hook: BeforeClusterDelete.hook },
        timeoutSeconds: 1,
        failurePolicy: "Fail",
      },
    ],
  });

const path = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery?timeout=10s";
const failureOf = (call: Promise<unknown>) => call.then(() => "no failure", describeError);

describe("an extension that misbehaves", () => {
  const discovery = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const { url } = await rogue(answer);
    return (await failureOf(clientOf().discover(configOf(url)))).replaceAll(url, "URL");
  };
  const context = 'failed to discover extension "ext": http call failed';

  test("with garbage is told what it said", async () => {
    expect(await discovery((_, response) => response.end("<html>"))).toBe(
      `${context}: failed to decode response: invalid character '<' looking for beginning of value`,
    );
    expect(await discovery((_, response) => response.end())).toBe(`${context}: failed to decode response: EOF`);
    expect(await discovery((_, response) => response.end('{"status":'))).toBe(
      `${context}: failed to decode response: unexpected EOF`,
    );
    expect(await discovery((_, response) => response.end(Buffer.from([0xff, 0xfe])))).toBe(
      `${context}: failed to decode response: invalid UTF-8`,
    );
    expect(await discovery((_, response) => response.end("[".repeat(100_000)))).toBe(
      `${context}: failed to decode response: exceeded max depth: more than 1000 lists and objects inside each other`,
    );
    expect(await discovery((_, response) => response.end('{"status":"Success","handlers":{}}'))).toBe(
      `${context}: failed to decode response: cannot read DiscoveryResponse: handlers: Invalid value: "object": ` +
        'handlers in body must be of type array: "object"',
    );
  });

  test("with 100 MB is not listened to", async () => {
    let sent = 0;
    const message = await discovery((_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      response.on("error", () => undefined);
      const more = (): void => {
        while (sent < 100 && !response.destroyed) {
          sent++;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    expect(message).toBe(`${context}: Post "URL${path}": POST: the answer is larger than 20971520 bytes`);
    expect(sent).toBeLessThan(60);
  });

  test("with a redirect is not followed", async () => {
    let elsewhere = 0;
    const target = await rogue((_, response) => {
      elsewhere++;
      response.end('{"status":"Success"}');
    });
    const message = await discovery((_, response) => response.writeHead(307, { location: target.url }).end("moved"));
    expect(message).toBe(`${context}: got response with status code 307 != 200: response: "moved"`);
    expect(elsewhere).toBe(0);
  });

  test("with a long refusal is quoted in part", async () => {
    const message = await discovery((_, response) => response.writeHead(500).end("x".repeat(100_000)));
    expect(message).toBe(`${context}: got response with status code 500 != 200: response: "${"x".repeat(4096)}..."`);
  });

  test("by breaking off is told so", async () => {
    expect(await discovery((request) => request.socket.destroy())).toContain(`${context}: Post "URL${path}": `);
    const half = await discovery((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"status"');
      response.socket?.end();
    });
    expect(half).toContain(`${context}: Post "URL${path}": `);
  });
});

describe("an extension that takes its time", () => {
  async function waiting(
    run: (clock: FakeClock, arrived: Promise<void>) => Promise<void>,
    answer?: string,
  ): Promise<string> {
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const { url, connections } = await rogue((_, response) => {
      if (answer !== undefined) response.writeHead(200).write(answer);
      arrive();
    });
    const client = clientOf({ clock });
    client.register(configOf(url));
    const call = failureOf(client.call(BeforeClusterDelete, "h.ext", { cluster }));
    await run(clock, arrived);
    const message = (await call).replaceAll(url, "URL");
    expect(connections()).toBeGreaterThan(0);
    return message;
  }
  const url = "URL/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclusterdelete/h?timeout=1s";
  const expected = `failed to call extension handler "h.ext": http call failed: Post "${url}": context deadline exceeded`;

  test("for ever is given up in time", async () => {
    const message = await waiting(async (clock, arrived) => {
      await arrived;
      await clock.advance(seconds(1));
    });
    expect(message).toBe(expected);
  });

  test("within its answer is given up in time", async () => {
    const message = await waiting(async (clock, arrived) => {
      await arrived;
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(seconds(1));
    }, '{"status"');
    expect(message).toBe(expected);
  });

  test("is called over another connection next time", async () => {
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    let calls = 0;
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const { url: address, connections } = await rogue((_, response) => {
      if (++calls === 1) arrive();
      else response.end('{"status":"Success"}');
    });
    const client = clientOf({ clock });
    client.register(configOf(address));
    const first = failureOf(client.call(BeforeClusterDelete, "h.ext", { cluster }));
    await arrived;
    const before = connections();
    await clock.advance(seconds(1));
    await first;
    expect(await client.call(BeforeClusterDelete, "h.ext", { cluster })).toEqual(proceed);
    expect(connections()).toBeGreaterThan(before);
  });
});

describe("an extension whom nobody vouches for", () => {
  const context = `failed to discover extension "ext": http call failed: Post "URL${path}": tls: failed to verify certificate: x509:`;
  const refusal = async (tls: typeof ours, caBundle?: string) => {
    let asked = 0;
    const { url } = await rogue((_, response) => {
      asked++;
      response.end("{}");
    }, tls);
    const message = await failureOf(clientOf().discover(configOf(url, caBundle)));
    expect(asked).toBe(0);
    return message.replaceAll(url, "URL");
  };

  test("is not called: another authority", async () => {
    expect(await refusal(others)).toBe(`${context} certificate signed by unknown authority`);
  });

  test("is not called: the system does not know its authority", async () => {
    expect(await refusal(ours, "")).toBe(`${context} certificate signed by unknown authority`);
  });

  test("is not called: another name", async () => {
    const named = issueServing({ names: ["other.example.com"], ...validity });
    expect(await refusal(named, bundle(named.authority))).toBe(`${context} certificate is not valid for 127.0.0.1`);
  });

  test("is not called: its time is over", async () => {
    const expired = issueServing({ names: ["127.0.0.1"], notBefore: now - hours(48), notAfter: now - hours(24) });
    expect(await refusal(expired, bundle(expired.authority))).toBe(
      `${context} certificate has expired or is not yet valid`,
    );
  });
});

describe("connections", () => {
  const extension = createExtension({ log: recordedLog().log }).on(BeforeClusterDelete, "h", () => proceed);

  test("are kept and used again, and ended when nobody calls for a while", async () => {
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    const { url, connections } = await rogue((_, response) => response.end('{"status":"Success"}'));
    const client = clientOf({ clock });
    client.register(configOf(url));
    const call = () => client.call(BeforeClusterDelete, "h.ext", { cluster });
    await call();
    const atFirst = connections();
    for (let count = 0; count < 20; count++) await call();
    expect(connections()).toBe(atFirst);
    await clock.advance(minutes(2));
    await call();
    expect(connections()).toBeGreaterThan(atFirst);
  });

  test("carry many calls at once over HTTP/2", async () => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    const client = clientOf();
    client.register(configOf(server.url, server.caBundle));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.call(BeforeClusterDelete, "h.ext", { cluster })),
    );
    expect(answers).toEqual(Array.from({ length: 50 }, () => proceed));
  });

  test("follow an extension that shows another certificate", async () => {
    await using server = await extension.listen({ tls: { cert: ours.certificate, key: ours.key }, host: "127.0.0.1" });
    const client = clientOf();
    client.register(configOf(server.url));
    expect(await client.call(BeforeClusterDelete, "h.ext", { cluster })).toEqual(proceed);
    server.renew({ cert: others.certificate, key: others.key });
    client.register(configOf(server.url, bundle(others.authority)));
    expect(await client.call(BeforeClusterDelete, "h.ext", { cluster })).toEqual(proceed);
  });

  test("show our own certificate, and the new one when its files change", async () => {
    const folder = mkdtempSync(join(tmpdir(), "capstan-extension-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const [certificateFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
    const write = (name: string): void => {
      const shown = issueServing({ names: [name], ...validity });
      writeFileSync(certificateFile, shown.certificate);
      writeFileSync(keyFile, shown.key);
    };
    const names: unknown[] = [];
    const server = createServer(
      {
        cert: ours.certificate,
        key: ours.key,
        requestCert: true,
        rejectUnauthorized: false,
      },
      (request, response) => {
        names.push(
          (request.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }).getPeerCertificate()
            .subject.CN,
        );
        response.end('{"status":"Success"}');
      },
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    write("first");
    const client = clientOf({ clientCertificate: { certificateFile, keyFile } });
    client.register(configOf(`https://127.0.0.1:${(server.address() as AddressInfo).port}`));
    await client.call(BeforeClusterDelete, "h.ext", { cluster });
    write("second-name");
    await client.call(BeforeClusterDelete, "h.ext", { cluster });
    expect(names).toEqual(["first", "second-name"]);
  });
});
