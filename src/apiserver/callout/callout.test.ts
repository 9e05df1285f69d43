import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { createServer as createSocketServer, type Server } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { createFakeClock, hours, issueServing, parseTimestamp, seconds, systemClock } from "#base";
import { createCallout } from "./callout.ts";
import { CalloutError } from "./errors.ts";
import { targetOf } from "./hook-target.ts";

const now = systemClock.instant();
const valid = { notBefore: now - hours(1), notAfter: now + hours(1) };
const ours = issueServing({ names: ["127.0.0.1"], ...valid });
const base64 = (text: string) => Buffer.from(text).toString("base64");

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe("asking a webhook", () => {
  test("gives the object that it answers with", async () => {
    const port = await secure((request, response) => {
      response.end(
        JSON.stringify({ path: request.url, host: request.headers.host, agent: request.headers["user-agent"] }),
      );
    });
    expect(await ask(`https://127.0.0.1:${port}/a%20b`)).toEqual({
      path: "/a%20b?timeout=10s",
      host: `127.0.0.1:${port}`,
      agent: "test",
    });
  });

  test("reads no answer that is much longer than its question", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const port = await secure((_, response) => {
      const endless = new Readable({ read: () => void endless.push(chunk) });
      endless.pipe(response);
      response.on("close", () => endless.destroy());
    });
    await expect(ask(`https://127.0.0.1:${port}/`)).rejects.toThrow(
      "unexpected error when reading response body. Please retry. Original error: the answer has more than 16777216 bytes",
    );
  });

  test("ends when its time is over", async () => {
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    const port = await secure(() => void clock.advance(seconds(10)));
    await expect(ask(`https://127.0.0.1:${port}/`, { clock })).rejects.toThrow(
      `Post "https://127.0.0.1:${port}/?timeout=10s": context deadline exceeded`,
    );
    expect(clock.sleepers).toBe(0);
  });

  test("does not begin where nobody waits for it", async () => {
    const stop = AbortSignal.abort();
    const port = await secure((_, response) => void response.end("{}"));
    await expect(ask(`https://127.0.0.1:${port}/`, { stop })).rejects.toThrow("context canceled");
  });

  test("does not follow redirects", async () => {
    const port = await secure((_, response) => {
      response.writeHead(307, { location: "/elsewhere" });
      response.end();
    });
    await expect(ask(`https://127.0.0.1:${port}/`)).rejects.toThrow(
      "the server responded with the status code 307 but did not return more information",
    );
  });

  test("fails where nobody speaks TLS, or not for long", async () => {
    const plain = createPlainServer((_, response) => void response.end("hi"));
    const mute = createSocketServer((socket) => void socket.end());
    for (const [server, why] of [
      [plain, "http: server gave HTTP response to HTTPS client"],
      [mute, "EOF"],
    ] as const) {
      const port = await listening(server);
      await expect(ask(`https://127.0.0.1:${port}/`)).rejects.toThrow(
        new CalloutError(`Post "https://127.0.0.1:${port}/?timeout=10s": ${why}`),
      );
    }
  });

  test.each([
    ["expired", { notBefore: now - hours(2), notAfter: now - hours(1) }, ["127.0.0.1"]],
    ["not valid yet", { notBefore: now + hours(1), notAfter: now + hours(2) }, ["127.0.0.1"]],
  ])("fails where the certificate is %s", async (_, validity, names) => {
    const serving = issueServing({ names, ...validity });
    const port = await secure((_request, response) => void response.end("{}"), serving);
    await expect(ask(`https://127.0.0.1:${port}/`, { authority: serving.authority })).rejects.toThrow(
      "tls: failed to verify certificate: x509: certificate has expired or is not yet valid",
    );
  });

  test.each([
    [
      ["other.example", "more.example"],
      "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
    [["127.0.0.9"], "x509: certificate is valid for 127.0.0.9, not 127.0.0.1"],
  ])("fails where the certificate is for %j", async (names, why) => {
    const serving = issueServing({ names, ...valid });
    const port = await secure((_, response) => void response.end("{}"), serving);
    await expect(ask(`https://127.0.0.1:${port}/`, { authority: serving.authority })).rejects.toThrow(
      `tls: failed to verify certificate: ${why}`,
    );
  });
});

describe("where a webhook is", () => {
  test.each([
    [{ url: "https://h/x" }, "https://h/x", { kind: "host", host: "h", port: 443 }],
    [{ url: "https://h:443" }, "https://h:443/", { kind: "host", host: "h", port: 443 }],
    [{ url: "https://[::1]:8443/a b" }, "https://[::1]:8443/a%20b", { kind: "host", host: "::1", port: 8443 }],
    [
      { service: { namespace: "n", name: "s" } },
      "https://s.n.svc:443/",
      { kind: "service", namespace: "n", name: "s", port: 443 },
    ],
    [
      { service: { namespace: "n", name: "s", port: 8443, path: "/p" } },
      "https://s.n.svc:8443/p",
      { kind: "service", namespace: "n", name: "s", port: 8443 },
    ],
  ])("is read from %j", (config, url, place) => {
    expect(targetOf(config)).toMatchObject({ url, place, authorities: undefined });
  });

  test("takes a blank bundle of certificates for none, and refuses one that cannot be read", () => {
    expect(targetOf({ url: "https://h", caBundle: base64(" \n") }).authorities).toBeUndefined();
    expect(() => targetOf({ url: "https://h", caBundle: base64("nonsense") })).toThrow(
      "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block",
    );
  });
});

interface AskOptions {
  readonly clock?: typeof systemClock;
  readonly authority?: string;
  readonly stop?: AbortSignal;
}

async function ask(url: string, { clock = systemClock, authority = ours.authority, stop }: AskOptions = {}) {
  const services = { known: new Map(), find: () => undefined };
  const callout = createCallout({ clock, services, signal: stop ?? new AbortController().signal });
  closing.push(() => callout.close());
  const target = targetOf({ url, caBundle: base64(authority) });
  return await callout.ask(target, { body: "{}", timeout: seconds(10), userAgent: "test" });
}

async function secure(answer: (request: IncomingMessage, response: ServerResponse) => void, serving = ours) {
  return await listening(createServer({ cert: serving.certificate, key: serving.key }, answer));
}

async function listening(server: Server & { closeAllConnections?(): void }): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections?.();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
