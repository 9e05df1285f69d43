import { once } from "node:events";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createLogger, issueServing, milliseconds, systemClock } from "#base";

/** What a recorded server answers at a path; `*` stands for any path. */
export type RecordedAnswers = {
  readonly [path: string]: { readonly code: number; readonly body: string; readonly delayMs?: number };
};

/** A request that reached the server. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
}

export interface RecordedServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
}

const hour = 60 * 60 * 1000;
const now = systemClock.instant();
const tls = issueServing({ names: ["127.0.0.1", "localhost"], notBefore: now - hour, notAfter: now + hour });

/** The authority that signed the server's certificate, as an ExtensionConfig carries it. */
export const serverAuthority = Buffer.from(tls.authority).toString("base64");

/** Says nothing. */
export const silentLog = createLogger({
  format: "text",
  level: "error",
  clock: systemClock,
  destination: { write: () => true },
});

/** Starts the server of a case. Where `listens` is false there is only its address. */
export async function startRecordedServer(
  answers: RecordedAnswers,
  { listens }: { readonly listens: boolean },
): Promise<RecordedServer> {
  const requests: RecordedRequest[] = [];
  const stop = new AbortController();
  const server = createSecureServer({ cert: tls.certificate, key: tls.key, allowHTTP1: true }, (request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url, "https://server");
      const body: unknown = JSON.parse(await text(request));
      requests.push({ method: request.method, path: pathname, query: searchParams.toString(), body });
      const answer = answers[pathname] ?? answers["*"] ?? { code: 404, body: "" };
      await systemClock.sleep(milliseconds(answer.delayMs ?? 0), { signal: stop.signal });
      response.writeHead(answer.code).end(answer.body);
    })().catch(() => response.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    stop.abort();
    server.close();
    await Promise.resolve();
  };
  if (!listens) {
    server.close();
    await once(server, "close");
  }
  return { url: `https://127.0.0.1:${port}`, requests, [Symbol.asyncDispose]: close };
}
