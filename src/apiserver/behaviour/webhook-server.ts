import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { hours, issueServing, systemClock } from "#base";
import { decodeJson, encodeJson, isJsonObject, type Json, type JsonObject } from "#machinery";

/** What a webhook was sent. */
export interface Asked {
  /** With the query. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** The whole review. */
  readonly review: JsonObject;
  /** What is asked in it. */
  readonly request: JsonObject;
  /** By which the answer is told from others. */
  readonly uid: string;
}

/** Answers with whatever it gives, as JSON, or by itself where it gives nothing. */
export type Answering = (asked: Asked, response: ServerResponse) => Json | undefined | Promise<Json | undefined>;

/** A webhook of a test, on this machine. */
export interface WebhookServer {
  readonly url: string;
  readonly port: number;
  /** Whom to trust for it, as configurations carry it. */
  readonly caBundle: string;
  /** Everything that it was asked, in order. */
  readonly asked: Asked[];
  /** How many connections were made to it. */
  readonly connections: number;
  /** Closes all connections. */
  hangUp(): void;
  /** From now on it answers so. */
  answer(with_: Answering): void;
  close(): Promise<void>;
}

const now = systemClock.instant();
const names = ["127.0.0.1", "hook.default.svc"];
const serving = issueServing({ names, notBefore: now - hours(1), notAfter: now + hours(24) });

/** Opens a webhook. */
export async function openWebhook(first: Answering): Promise<WebhookServer> {
  const asked: Asked[] = [];
  let answering = first;
  const server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = objectOf(decodeJson(Buffer.concat(chunks)).value);
      const question = questionIn(review, request);
      asked.push(question);
      void respond(answering, question, response);
    });
  });
  let connections = 0;
  server.on("secureConnection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    caBundle: Buffer.from(serving.authority).toString("base64"),
    asked,
    get connections() {
      return connections;
    },
    hangUp: () => server.closeAllConnections(),
    answer(with_) {
      answering = with_;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function questionIn(review: JsonObject, { url = "", headers }: IncomingMessage): Asked {
  const request = objectOf(review["request"]);
  const { uid } = request;
  return { path: url, headers, review, request, uid: typeof uid === "string" ? uid : "" };
}

async function respond(answering: Answering, asked: Asked, response: ServerResponse): Promise<void> {
  const answer = await answering(asked, response);
  if (answer === undefined) return;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(encodeJson(answer));
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The answer to an AdmissionReview. */
export function reviewed({ review, uid }: Asked, response: JsonObject): JsonObject {
  const { apiVersion = "", kind = "" } = review;
  return { apiVersion, kind, response: { uid, allowed: true, ...response } };
}

/** The answer of a webhook that changes an object. */
export function changed(asked: Asked, operations: Json): JsonObject {
  return reviewed(asked, { patchType: "JSONPatch", patch: Buffer.from(encodeJson(operations)).toString("base64") });
}
