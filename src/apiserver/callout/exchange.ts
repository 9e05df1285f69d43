import type { IncomingMessage } from "node:http";
import { type Agent, request } from "node:https";
import { CalloutError } from "./errors.ts";
import { failureWords } from "./failure-words.ts";
import { type HookTarget, isKnownByAddress } from "./hook-target.ts";
import { identityProblem } from "./server-identity.ts";
import type { HostAndPort } from "./service-addresses.ts";

/** What a webhook answered. */
export interface HookAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** A body on its way to a webhook. */
export interface HookPost {
  readonly target: HookTarget;
  /** Where the target is reached at the moment. */
  readonly address: HostAndPort;
  readonly agent: Agent;
  /** What comes after the path of the target. */
  readonly query: string;
  readonly userAgent: string;
  readonly body: string;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** Sends a body to a webhook and reads its answer; every failure is a CalloutError. */
export async function exchange(post: HookPost): Promise<HookAnswer> {
  for (;;) {
    const outcome = await sendOnce(post);
    if (outcome.kind === "answered") return outcome.answer;
    // The other side may have closed a connection that was kept just when it was to be used again.
    if (!outcome.isStale) throw outcome.error;
  }
}

type Outcome =
  | { readonly kind: "answered"; readonly answer: HookAnswer }
  | { readonly kind: "failed"; readonly error: CalloutError; readonly isStale: boolean };

function sendOnce(post: HookPost): Promise<Outcome> {
  const { target, query, body, signal } = post;
  return new Promise((resolve) => {
    const words = (error: unknown) => failureWords(signal.aborted ? signal.reason : error);
    let hasBegun = false;
    const sent = request(optionsOf(post), (response) => {
      hasBegun = true;
      const { statusCode: code = 0, headers } = response;
      readBody(response, post).then(
        (bytes) =>
          resolve({ kind: "answered", answer: { code, contentType: headers["content-type"] ?? "", body: bytes } }),
        (error: unknown) => {
          const text = `unexpected error when reading response body. Please retry. Original error: ${words(error)}`;
          resolve({ kind: "failed", error: new CalloutError(text), isStale: false });
        },
      );
    });
    sent.on("error", (error) => {
      // What goes wrong after that is found out by whoever reads the answer.
      if (hasBegun) return;
      const isStale = sent.reusedSocket && !signal.aborted && isReset(error);
      const text = `Post "${target.url}${query}": ${words(error)}`;
      resolve({ kind: "failed", error: new CalloutError(text), isStale });
    });
    sent.end(body);
  });
}

function optionsOf({ target, address, agent, query, userAgent, body, signal }: HookPost) {
  const { identity, authorities } = target;
  return {
    ...address,
    agent,
    method: "POST",
    path: `${target.path}${query}`,
    headers: {
      host: target.authority,
      "user-agent": userAgent,
      accept: "application/json, */*",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
    signal,
    minVersion: "TLSv1.2",
    ...(authorities === undefined ? {} : { ca: authorities }),
    ...(isKnownByAddress(target) ? {} : { servername: identity }),
    checkServerIdentity: (_: string, { raw }: { readonly raw: Buffer }) => {
      const problem = identityProblem(identity, raw);
      return problem === undefined ? undefined : new CalloutError(`tls: failed to verify certificate: ${problem}`);
    },
  } as const;
}

async function readBody(response: IncomingMessage, { mostBytes }: HookPost): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > mostBytes) throw new CalloutError(`the answer has more than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    // The platform calls every early end an abort.
    throw isReset(error) ? new CalloutError("unexpected EOF", { cause: error }) : error;
  }
  return Buffer.concat(chunks);
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}
