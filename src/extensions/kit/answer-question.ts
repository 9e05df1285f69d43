import {
  type Clock,
  type Duration,
  InvalidDurationError,
  describeError,
  type Logger,
  parseDuration,
  seconds,
} from "#base";
import { withDeadline } from "#client";
import { decodeJson, encodeJson, InvalidJsonError, isJsonObject, type Json, JsonTooDeepError } from "#machinery";
import type { Hook } from "../catalog/hook.ts";
import { MalformedMessageError } from "../errors.ts";
import type { HandlerContext } from "./extension.ts";

/** A handler behind a path. */
export interface HandlerEntry {
  /** For messages. */
  readonly name: string;
  readonly hook: Hook;
  /** Reads the question and answers it; throws a MalformedMessageError where the question is none. */
  readonly answer: (body: Json, context: HandlerContext) => Promise<object>;
}

interface AnswerPorts {
  readonly log: Logger;
  readonly clock: Clock;
}

// Nobody waits longer than this for an extension.
const longest = seconds(30);

/** Something that is asked of an extension, without the objects of the web. */
export interface PlainQuestion {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: string;
  /** Aborted when nobody waits any longer. */
  readonly signal: AbortSignal;
}

/** What is answered to it. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** Answers one question: the protocol of runtime extensions. */
export async function answerQuestion(
  { method, path, body, signal }: PlainQuestion,
  entries: ReadonlyMap<string, HandlerEntry>,
  { log, clock }: AnswerPorts,
): Promise<PlainAnswer> {
  const [pathname = "", query = ""] = path.split("?", 2);
  const entry = entryAt(pathname, entries);
  if (entry === undefined) return refusal(404, `there is no handler at ${pathname}`);
  if (method !== "POST") return refusal(405, "hooks are called with POST", { allow: "POST" });
  try {
    const timeout = timeoutOf(query);
    const question = readQuestion(body, entry.hook);
    const answer = await withDeadline({ clock, timeout, signal, what: entry.name }, (ending) =>
      answered(entry, question, { signal: ending, log }),
    );
    return { status: 200, headers: { "content-type": "application/json" }, body: encodeJson(answer) };
  } catch (error) {
    if (!isQuestionProblem(error)) throw error;
    return refusal(400, describeError(error));
  }
}

/** A plane may be told that everything stands below a path of its own, so only the end counts. */
function entryAt(pathname: string, entries: ReadonlyMap<string, HandlerEntry>): HandlerEntry | undefined {
  const path = pathname.toLowerCase();
  const direct = entries.get(path);
  if (direct !== undefined) return direct;
  for (const [own, entry] of entries) if (path.endsWith(own)) return entry;
  return undefined;
}

function readQuestion(text: string, { apiVersion, requestKind }: Hook): Json {
  const { value } = decodeJson(text);
  if (!isJsonObject(value)) return value;
  const { kind = requestKind, apiVersion: version = apiVersion } = value;
  if (kind === requestKind && version === apiVersion) return value;
  const got = typeof version === "string" && typeof kind === "string" ? `${version}, Kind=${kind}` : "no kind at all";
  throw new MalformedMessageError(`expected ${apiVersion}, Kind=${requestKind}, got ${got}`);
}

/** What a handler throws is the answer that it failed. */
async function answered(entry: HandlerEntry, body: Json, context: HandlerContext): Promise<Json> {
  const { hook } = entry;
  const head = { apiVersion: hook.apiVersion, kind: hook.responseKind };
  try {
    const answer = { status: "Success", ...(await entry.answer(body, context)) };
    // Reading checks what a handler in plain JavaScript may have made up.
    return asJson({ ...head, ...hook.readResponse(answer) });
  } catch (error) {
    if (error instanceof MalformedMessageError && error.message.includes(hook.requestKind)) throw error;
    context.log.error("a handler failed", error, { handler: entry.name });
    return asJson({ ...head, ...hook.readResponse({ status: "Failure", message: describeError(error) }) });
  }
}

function asJson(message: object): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are declared with fields that hold JSON alone
  return message as Json;
}

function timeoutOf(query: string): Duration {
  const text = query === "" ? null : new URLSearchParams(query).get("timeout");
  return text === null ? longest : parseDuration(text);
}

function isQuestionProblem(error: unknown): boolean {
  return (
    error instanceof MalformedMessageError ||
    error instanceof InvalidJsonError ||
    error instanceof JsonTooDeepError ||
    error instanceof InvalidDurationError
  );
}

function refusal(status: number, text: string, headers: PlainAnswer["headers"] = {}): PlainAnswer {
  return { status, headers: { "content-type": "text/plain", ...headers }, body: `${text}\n` };
}
