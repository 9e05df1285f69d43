import { type Clock, type Duration, milliseconds, noTime, seconds } from "#base";
import { type GroupVersionResource, type Json, encodeJson } from "#machinery";
import type { Credential } from "../config/credentials.ts";
import { type Connection, impersonationHeaders, serverUrl } from "../connection.ts";
import { type Deadline, startDeadline } from "../deadline.ts";
import { allowManyListeners } from "../many-listeners.ts";
import type { Wire, WireAnswer, WireHeaders } from "../wire/wire.ts";
import { headerText } from "../wire/wire.ts";
import type { WirePool } from "../wire/wire-pool.ts";
import type { TransportObserver } from "./observer.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { parseAnswer, readBody, type ReadOptions } from "./read-answer.ts";
import { genericError, isStatus, statusError } from "./refusal.ts";
import { defaultRetries, isSafeToResend, type RetryLimits, retryAfter } from "./retry-policy.ts";
import { warningsIn } from "./warnings.ts";

/** One call of the API. */
export interface Call {
  readonly verb: string;
  readonly method: string;
  /** Below the URL of the server, with its query. */
  readonly path: string;
  readonly resource?: GroupVersionResource | undefined;
  readonly subresource?: string | undefined;
  readonly name?: string | undefined;
  readonly accept?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Not held back by the rate limit. */
  readonly urgent?: boolean;
}

/** An answer that has been read to its end. */
export interface Answer {
  readonly json: Json;
  readonly contentType: string;
}

/** What requests are made with. */
export interface RequesterOptions {
  readonly connection: Connection;
  readonly pool: WirePool;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly requestTimeout: Duration;
  readonly mostBytes: number;
  /** The longest that all answers under way may be together, in bytes as they come. */
  readonly mostBytesAtOnce: number;
  readonly limiter?: RateLimiter | undefined;
  readonly retries?: RetryLimits | undefined;
  readonly observer: TransportObserver;
}

/** Sends calls with everything around them: credentials, limits, deadlines, retries and refusals. */
export interface Requester {
  /** The whole answer; throws an ApiError where the server refuses. */
  ask(call: Call): Promise<Answer>;
  /** Resolves where the server answers well, whatever it says; throws an ApiError where it refuses. */
  reach(call: Call): Promise<void>;
  /** The beginning of an answer without an end; throws an ApiError where the server refuses. */
  open(call: Call): Promise<WireAnswer>;
}

// Nobody looks at the answer to a probe.
const mostProbeBytes = 1024 * 1024;

/** Makes the sender of all calls of a transport. */
export function createRequester(options: RequesterOptions): Requester {
  const { connection, pool, clock, observer, mostBytes, mostBytesAtOnce } = options;
  const { attempts, connectionAttempts, longestWait } = { ...defaultRetries, ...options.retries };
  const prefix = serverUrl(connection).pathname.replace(/\/+$/, "");
  const fixedHeaders: WireHeaders = {
    "user-agent": options.userAgent,
    ...(connection.impersonate === undefined ? {} : impersonationHeaders(connection.impersonate)),
  };
  const encoding = connection.compression === false ? {} : { "accept-encoding": "gzip" };
  const together = { bytes: 0, most: mostBytesAtOnce };
  let presented: Credential | undefined;

  return {
    ask: (call) =>
      repeatedly(
        call,
        inTime((answer) => wholeAnswer(call, answer)),
      ),
    reach: (call) =>
      repeatedly(
        call,
        inTime(async (answer) => {
          const body = await readBody(answer, readingOf(call, mostProbeBytes));
          if (!isGood(answer)) throw refusalOf(call, answer, body);
        }),
      ),
    open: (call) =>
      repeatedly(call, async (answer, deadline) => {
        if (answer.status !== 200) {
          await wholeAnswer(call, answer).finally(() => deadline.release());
          throw genericError(answer.status, "", questionOf(call));
        }
        deadline.stopClock();
        answer.body.once("close", () => deadline.release());
        warn(call, answer);
        return answer;
      }),
  };

  /** Sends a call until it succeeds, or until sending it again is unsafe, useless or too much. */
  async function repeatedly<T>(call: Call, finish: (answer: WireAnswer, deadline: Deadline) => Promise<T>): Promise<T> {
    const body = call.body === undefined ? undefined : encoded(call.body);
    allowManyListeners(call.signal);
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const credential = await admitted(call);
      const deadline = deadlineOf(call);
      try {
        const answer = await sendOnce(call, { body, credential, signal: deadline.signal });
        const isRefused: boolean = answer.status === 401 && !isRenewed && (await hasOther(credential, call.signal));
        const wait = isRefused ? noTime : retryAfter(answer, clock);
        if (wait === undefined || attempt >= attempts || wait > longestWait) return await finish(answer, deadline);
        isRenewed ||= isRefused;
        // Read to its end, so that its connection can be used again.
        answer.body.once("close", () => deadline.release()).resume();
        observer.onRetry?.({ verb: call.verb, why: `answered ${answer.status}`, after: wait });
        if (wait > 0) await clock.sleep(wait, call.signal === undefined ? {} : { signal: call.signal });
      } catch (error) {
        deadline.release();
        if (attempt >= connectionAttempts || !isSafeToResend(call.method, error)) throw error;
        // The pool by itself waits longer and longer before it connects again.
        observer.onRetry?.({ verb: call.verb, why: "connection failed", after: noTime });
      }
    }
  }

  function deadlineOf({ signal, method, path }: Call): Deadline {
    return startDeadline({ clock, timeout: options.requestTimeout, signal, what: `${method} ${path}` });
  }

  function readingOf({ method, path }: Call, most = mostBytes): ReadOptions {
    return { most: Math.min(most, mostBytes), together, question: `${method} ${path}` };
  }

  /** Waits for the rate limit and for credentials. */
  async function admitted({ signal, urgent = false }: Call): Promise<Credential | undefined> {
    if (options.limiter !== undefined && !urgent) {
      const waited = await options.limiter.pass({ signal });
      if (waited > 0) observer.onRateLimited?.(milliseconds(waited));
    }
    const credential = await connection.credentials?.current(signal === undefined ? {} : { signal });
    if (credential?.certificate !== presented?.certificate) pool.renew(credential ?? {});
    presented = credential;
    return credential;
  }

  async function hasOther(credential: Credential | undefined, signal: AbortSignal | undefined): Promise<boolean> {
    if (credential === undefined || connection.credentials === undefined) return false;
    const other = await connection.credentials.current({
      refused: credential,
      ...(signal === undefined ? {} : { signal }),
    });
    return other !== credential;
  }

  async function sendOnce(
    call: Call,
    sent: {
      readonly body: string | undefined;
      readonly credential: Credential | undefined;
      readonly signal: AbortSignal;
    },
  ): ReturnType<Wire["send"]> {
    const { verb, method, resource, subresource, accept = "application/json" } = call;
    const { authorization } = sent.credential ?? {};
    const headers = {
      ...fixedHeaders,
      accept,
      ...(verb === "watch" ? {} : encoding),
      ...(authorization === undefined ? {} : { authorization }),
      ...(sent.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
    };
    const begun = clock.elapsed();
    const report = (outcome: { readonly status: number } | { readonly error: unknown }): void =>
      observer.onRequest?.({
        verb,
        method,
        resource,
        subresource,
        duration: milliseconds(clock.elapsed() - begun),
        ...outcome,
      });
    try {
      const body = sent.body === undefined ? {} : { body: sent.body };
      const answer = await pool.send({ method, path: prefix + call.path, headers, signal: sent.signal, ...body });
      report({ status: answer.status });
      return answer;
    } catch (error) {
      report({ error });
      throw error;
    }
  }

  async function wholeAnswer(call: Call, answer: WireAnswer): Promise<Answer> {
    const reading = readingOf(call);
    const body = await readBody(answer, reading);
    warn(call, answer);
    const contentType = headerText(answer.headers, "content-type") ?? "";
    if (isGood(answer)) return { json: parseAnswer(body, reading), contentType };
    throw refusalOf(call, answer, body);
  }

  function refusalOf(call: Call, answer: WireAnswer, body: Buffer): Error {
    const text = body.toString("utf8");
    if (text.startsWith("{")) {
      const status = parseAnswer(body, readingOf(call));
      if (isStatus(status)) return statusError(status, answer.status);
    }
    const wait = retryAfter(answer, clock);
    const retryAfterSeconds = wait === undefined ? undefined : Math.ceil(wait / seconds(1));
    return genericError(answer.status, text, { ...questionOf(call), retryAfterSeconds });
  }
}

/** Reads an answer within its time; what comes of a time that is over is said to be that. */
function inTime<T>(read: (answer: WireAnswer) => Promise<T>) {
  return async (answer: WireAnswer, deadline: Deadline): Promise<T> => {
    try {
      return await read(answer);
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : error;
    } finally {
      deadline.release();
    }
  };
}

function isGood({ status }: WireAnswer): boolean {
  return status >= 200 && status < 300;
}

function questionOf({ verb, resource, path, name }: Call) {
  return { verb, what: resource?.resource ?? path, name };
}

function warn({ onWarning }: Call, { headers }: WireAnswer): void {
  if (onWarning !== undefined) for (const text of warningsIn(headers)) onWarning(text);
}

/** The platform writes everything but integers beyond its numbers. */
function encoded(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is sent is JSON; what is not, the encoder refuses
    return encodeJson(body as Json);
  }
}
