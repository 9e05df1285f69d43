import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { type Clock, type Duration, type Logger, milliseconds, seconds, toError } from "#base";
import { ApiError, internalError } from "#machinery";
import { bind, type ListenAddress } from "../manager/http-listener.ts";
import { type AdmissionRequest, type AdmissionVerdict, printReview, readReview } from "./admission-review.ts";
import type { CertificatePair } from "./serving-certificate.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

/** Has a say in writes, and is asked under a path of its own. */
export interface AdmissionWebhook {
  readonly path: string;
  /** An ApiError that is thrown is a refusal, too. */
  review(request: AdmissionRequest): Promise<AdmissionVerdict>;
}

/** What webhooks are served with. */
export interface WebhookServerOptions extends Omit<ListenAddress, "tls"> {
  readonly certificate: CertificatePair;
  readonly webhooks: readonly AdmissionWebhook[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
  /** How long reviews may take to end when the server stops; 10 s unless told otherwise. */
  readonly gracePeriod?: Duration;
}

/** Webhooks that are being served. */
export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  /** Shows another certificate from the next connection on. */
  renew(pair: CertificatePair): void;
}

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// As controller-runtime: the largest object that etcd takes, old and new, and what is around them.
const mostBytes = 7 * 1024 * 1024;
// API servers keep idle connections for a minute and a half; whoever lets go first must be they.
const keepAlive = milliseconds(120_000);

/** Serves webhooks over HTTPS until it is disposed of; what cannot be answered costs its caller an error and nobody else anything. */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const { certificate, clock, gracePeriod = seconds(10), host, port } = options;
  const byPath = new Map(options.webhooks.map((webhook) => [webhook.path, webhook]));
  const server: Server = createServer({ ...secretsOf(certificate), minVersion: "TLSv1.2" });
  server.keepAliveTimeout = keepAlive;
  server.requestTimeout = seconds(30);
  const underWay = new Set<Promise<void>>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const answered: Promise<void> = respond(request, response).finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  // A client that breaks off its handshake harms nobody.
  server.on("tlsClientError", () => undefined);
  return {
    port: await bind(server, { port, ...(host === undefined ? {} : { host }) }),
    renew: (pair) => server.setSecureContext({ ...secretsOf(pair), minVersion: "TLSv1.2" }),
    [Symbol.asyncDispose]: () => close(),
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    request.on("error", () => undefined);
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    const webhook = byPath.get(path);
    if (webhook === undefined) {
      await send(response, { code: 404, text: `no webhook is served under ${path}\n` });
      return;
    }
    const begun = clock.elapsed();
    const ended = options.metrics.begun(path);
    const answer = await answerTo(webhook, request, options.log);
    await send(response, answer);
    ended({ code: answer.code, took: milliseconds(clock.elapsed() - begun) });
  }

  /** Takes no further calls; those under way are answered. */
  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const timer = new AbortController();
    const inTime = clock.sleep(gracePeriod, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([allAnswered(), inTime]);
    timer.abort();
    server.closeAllConnections();
    await closed;
  }

  async function allAnswered(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }
}

async function answerTo(webhook: AdmissionWebhook, request: IncomingMessage, log: Logger): Promise<Answer> {
  if (request.method !== "POST") {
    return { code: 405, text: `a review is asked for with POST, not ${request.method}\n`, headers: { allow: "POST" } };
  }
  const { "content-type": contentType = "" } = request.headers;
  if (!/^application\/json *(;|$)/i.test(contentType)) {
    return { code: 400, text: `contentType=${contentType}, expected application/json\n` };
  }
  try {
    const body = await readBounded(request);
    if (body === undefined) {
      return { code: 413, text: `request entity is too large; limit is ${mostBytes} bytes\n` };
    }
    const asked = readReview(body);
    const verdict = await verdictOf(webhook, asked, log);
    return { code: 200, text: printReview(asked, verdict), headers: { "content-type": "application/json" } };
  } catch (error) {
    if (error instanceof ApiError) return { code: error.httpCode, text: `${error.message}\n` };
    log.error("a review could not be answered", toError(error), { webhook: webhook.path });
    return { code: 500, text: "the review could not be answered\n" };
  }
}

async function verdictOf(webhook: AdmissionWebhook, asked: AdmissionRequest, log: Logger): Promise<AdmissionVerdict> {
  try {
    return await webhook.review(asked);
  } catch (error) {
    if (error instanceof ApiError) return { kind: "denied", error };
    log.error("a webhook failed", toError(error), { webhook: webhook.path, name: asked.name });
    return { kind: "denied", error: internalError(toError(error).message) };
  }
}

/** The body of a request; undefined where it is larger than any review, and then what follows is not read. */
async function readBounded(request: IncomingMessage): Promise<Buffer | undefined> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > mostBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Resolves once the answer has left, or nobody is there to take it. */
function send(response: ServerResponse, { code, text, headers }: Answer): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    // Whatever follows on the connection of a body that was not read cannot be told from it.
    const ending = code === 413 ? { connection: "close" } : {};
    response.writeHead(code, { "content-type": "text/plain; charset=utf-8", ...ending, ...headers });
    response.end(text, () => resolve());
  });
}

function secretsOf({ certificate, key }: CertificatePair): { readonly cert: string; readonly key: string } {
  return { cert: certificate, key };
}
