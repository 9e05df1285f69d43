import { stat } from "node:fs/promises";
import { type Clock, type Duration, minutes, noTime, seconds } from "#base";
import { createWirePool, DeadlineExceededError, type Pem, readBody, type WirePool } from "#client";
import { readBundle } from "./certificate-bundle.ts";
import { type ExtensionUrl, pathAndQuery } from "./extension-url.ts";
import type { ExtensionPost, ExtensionWire } from "./extension-wire.ts";

/** How extensions are reached over the network. */
export interface HttpsWireOptions {
  readonly clock: Clock;
  /** The files with which we show who we are, read anew when they change. */
  readonly clientCertificate?: { readonly certificateFile: string; readonly keyFile: string };
  /** How many bytes of an answer are read; 20 MiB unless told. */
  readonly mostBytes?: number;
  /** True to trust anybody: to look at an extension, never to rely on one. */
  readonly insecure?: boolean;
}

/** Connections to one extension under one trust. */
interface Line {
  readonly pool: WirePool;
  calls: number;
  usedAt: Duration;
  isRetired: boolean;
}

const mostTrusted = 1000;
const mebibyte = 1024 * 1024;
// Nobody keeps connections open for longer than this to an extension that nobody calls.
const idleFor = minutes(1.5);

/** Reaches extensions over HTTPS: HTTP/2 where the extension speaks it, connections kept and used again. */
export function createHttpsWire({
  clock,
  clientCertificate,
  mostBytes = 20 * mebibyte,
  insecure = false,
}: HttpsWireOptions): ExtensionWire {
  const lines = new Map<string, Line>();
  // Reading certificates takes longer than all the rest of a call.
  const trusted = new Set<string>();

  async function lineTo({ url, caBundle }: ExtensionPost): Promise<Line> {
    hangUpIdle();
    const key = `${url.host} ${caBundle} ${await stampOf(clientCertificate)}`;
    const known = lines.get(key);
    if (known !== undefined) return known;
    const line: Line = { pool: dial(url, caBundle), calls: 0, usedAt: clock.elapsed(), isRetired: false };
    lines.set(key, line);
    return line;
  }

  function dial({ origin }: ExtensionUrl, caBundle: string): WirePool {
    const authority = readBundle(caBundle);
    const tls = {
      insecure,
      ...(authority === undefined ? {} : { authority }),
      ...(clientCertificate === undefined ? {} : { certificate: fileOf("certificate"), key: fileOf("key") }),
    };
    // The call has a deadline of its own and is repeated by whoever made it, so nothing is waited for here.
    return createWirePool(
      { server: origin, tls },
      { clock, connectTimeout: seconds(30), backoff: { delayAfter: () => noTime } },
    );
  }

  function fileOf(what: "certificate" | "key"): Pem {
    return { file: clientCertificate?.[`${what}File`] ?? "" };
  }

  function hangUpIdle(): void {
    for (const [key, line] of lines) {
      if (line.calls > 0 || clock.elapsed() - line.usedAt < idleFor) continue;
      lines.delete(key);
      line.pool.close();
    }
  }

  /** Takes no further calls and ends with the last of those under way. */
  function retire(line: Line): void {
    line.isRetired = true;
    for (const [key, other] of lines) if (other === line) lines.delete(key);
  }

  return {
    checkTrust({ caBundle }) {
      if (trusted.has(caBundle)) return;
      readBundle(caBundle);
      if (trusted.size >= mostTrusted) trusted.clear();
      trusted.add(caBundle);
    },

    async post(post) {
      const line = await lineTo(post);
      line.calls++;
      try {
        const answer = await line.pool.send({
          method: "POST",
          path: pathAndQuery(post.url),
          headers: headersOf(post.url),
          body: post.body,
          signal: post.signal,
        });
        return { status: answer.status, body: await readBody(answer, { most: mostBytes, question: "POST" }) };
      } catch (error) {
        // A connection that swallows questions without a sound would swallow the next one, too.
        if (post.signal.reason instanceof DeadlineExceededError) retire(line);
        throw error;
      } finally {
        line.usedAt = clock.elapsed();
        if (--line.calls === 0 && line.isRetired) line.pool.close();
      }
    },

    close() {
      for (const { pool } of lines.values()) pool.close();
      lines.clear();
    },
  };
}

function headersOf({ userinfo }: ExtensionUrl): { readonly [name: string]: string } {
  if (userinfo === undefined) return {};
  const plain = userinfo.split(":").map(decodeURIComponent).join(":");
  return { authorization: `Basic ${Buffer.from(plain).toString("base64")}` };
}

/** Changes whenever one of the files does. */
async function stampOf(files: HttpsWireOptions["clientCertificate"]): Promise<string> {
  if (files === undefined) return "";
  const stamps = await Promise.all(
    [files.certificateFile, files.keyFile].map(async (file) => {
      const found = await stat(file).catch(() => undefined);
      return found === undefined ? "none" : `${found.mtimeMs}:${found.size}`;
    }),
  );
  return stamps.join();
}
