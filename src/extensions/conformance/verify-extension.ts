import { type Clock, type Duration, formatDuration, milliseconds, seconds, systemClock } from "#base";
import { withDeadline } from "#client";
import {
  apiVersionOf,
  decodeFirstJson,
  deepEqual,
  encodeJson,
  isJsonObject,
  type Json,
  type JsonObject,
  parseGroupVersion,
} from "#machinery";
import type { GroupVersionHook } from "../catalog/group-version-hook.ts";
import type { Hook, HookResponse } from "../catalog/hook.ts";
import { runtimeCatalog } from "../catalog/runtime-catalog.ts";
import { Discovery } from "../catalog/runtime-hook.ts";
import { checkDiscoveryResponse, type DiscoveredHandler, withHandlerDefaults } from "../client/discovery-response.ts";
import { ConformanceError } from "../errors.ts";
import { extensionUrl, withTimeout } from "../wire/extension-url.ts";
import type { ExtensionReply, ExtensionWire } from "../wire/extension-wire.ts";
import { networkCause } from "../wire/network-cause.ts";
import { answerProblem } from "./answer-problem.ts";
import { type Finding, find } from "./finding.ts";
import { sampleRequest } from "./sample-requests.ts";

/** Which extension is checked, and how far. */
export interface VerifyOptions {
  readonly url: string;
  /** Whom to trust, PEM in base64; the authorities of the system unless told. */
  readonly caBundle?: string;
  /** Calls hooks, too, that may change something; only those that merely ask unless told. */
  readonly callAll?: boolean;
  readonly wire: ExtensionWire;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

const discoveryTimeout = seconds(10);
const atOnce = 20;

/** Checks an extension, in whatever language it is written, against the protocol. */
export async function verifyExtension(options: VerifyOptions): Promise<readonly Finding[]> {
  const probe = new Probe(options);
  const reached = await find("is reached over TLS and answers", () => probe.reach());
  if (reached.verdict === "failed") return [reached];
  const discovered = await find("answers discovery with handlers that can be called", () => probe.discover());
  const findings = [reached, discovered];
  if (discovered.verdict === "failed") return findings;
  findings.push(
    await find("says the same when it is asked again", () => probe.discoverAgain({})),
    await find("does not mind fields that it does not know", () => probe.discoverAgain({ someday: { maybe: true } })),
    await find(`answers ${atOnce} questions at once`, () => probe.discoverAtOnce()),
    await find("has nothing where it says it has nothing", () => probe.askNobody()),
    await find("refuses what is no question, and lives on", () => probe.sayNonsense()),
  );
  for (const handler of probe.handlers) findings.push(await probe.verify(handler, options.callAll ?? false));
  return findings;
}

/** Asks an extension whatever comes to mind. */
class Probe {
  readonly #options: VerifyOptions;
  #handlers: readonly DiscoveredHandler[] = [];

  constructor(options: VerifyOptions) {
    this.#options = options;
  }

  get handlers(): readonly DiscoveredHandler[] {
    return this.#handlers;
  }

  async reach(): Promise<void> {
    await this.#post(Discovery, "", {}, discoveryTimeout);
  }

  async discover(): Promise<string | void> {
    const { body, response } = await this.#discovery({});
    const defaulted = withHandlerDefaults(response);
    checkDiscoveryResponse(defaulted, runtimeCatalog);
    this.#handlers = defaulted.handlers;
    return kindNote(body, Discovery);
  }

  async discoverAgain(more: JsonObject): Promise<void> {
    const { response } = await this.#discovery(more);
    if (!deepEqual(withHandlerDefaults(response).handlers, this.#handlers))
      throw new ConformanceError("the handlers differ from those before");
  }

  async discoverAtOnce(): Promise<void> {
    await Promise.all(Array.from({ length: atOnce }, () => this.discoverAgain({})));
  }

  async askNobody(): Promise<string | void> {
    const { status } = await this.#post({ ...Discovery, hook: "NoSuchHook" }, "no-such-handler", {}, discoveryTimeout);
    if (status === 200) throw new ConformanceError("a hook that does not exist was answered with 200");
    return status === 404 ? undefined : `answered with ${status} instead of 404`;
  }

  async sayNonsense(): Promise<void> {
    const [handler] = this.#handlers;
    const hook = handler === undefined ? Discovery : hookOf(handler);
    const reply = await this.#postText(hook, handler?.name ?? "", "this is no JSON", discoveryTimeout);
    const status = reply.status === 200 ? hook.readResponse(jsonOf(reply)).status : "";
    if (status === "Success") throw new ConformanceError("what is no JSON was answered with success");
    await this.discoverAgain({});
  }

  async verify(handler: DiscoveredHandler, callAll: boolean): Promise<Finding> {
    const hook = hookOf(handler);
    const check = `${handler.name} answers ${hook.hook}`;
    if (!hook.onlyAsks && !callAll)
      return { check, verdict: "skipped", detail: "it may change something; --all calls it all the same" };
    return await find(check, () => this.#ask(hook, handler));
  }

  async #ask(hook: Hook, { name, timeoutSeconds = 0 }: DiscoveredHandler): Promise<string | void> {
    const timeout = seconds(timeoutSeconds === 0 ? 10 : timeoutSeconds);
    const ask = async () => answerOf(hook, await this.#post(hook, name, sampleRequest(hook.hook), timeout));
    const first = await ask();
    const problem = answerProblem(hook, first.response);
    if (problem !== undefined) throw new ConformanceError(problem);
    if (hook.onlyAsks && !deepEqual((await ask()).response, first.response))
      throw new ConformanceError("the same question had two different answers");
    return kindNote(first.body, hook);
  }

  async #discovery(more: JsonObject) {
    const reply = await this.#post(Discovery, "", more, discoveryTimeout);
    const answer = answerOf(Discovery, reply);
    if (answer.response.status !== "Success")
      throw new ConformanceError(`discovery was answered with the status ${JSON.stringify(answer.response.status)}`);
    return answer;
  }

  #post(hook: GroupVersionHook, handler: string, request: JsonObject, timeout: Duration): Promise<ExtensionReply> {
    const head = { apiVersion: apiVersionOf(hook), kind: `${hook.hook}Request` };
    return this.#postText(hook, handler, encodeJson({ ...head, ...request }), timeout);
  }

  async #postText(hook: GroupVersionHook, handler: string, body: string, timeout: Duration): Promise<ExtensionReply> {
    const { url, caBundle = "", wire, clock = systemClock, signal } = this.#options;
    const address = withTimeout(extensionUrl({ url }, hook, handler), formatDuration(timeout));
    try {
      return await withDeadline({ clock, timeout: milliseconds(timeout), signal, what: hook.hook }, (ending) =>
        wire.post({ url: address, caBundle, body, signal: ending }),
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw new ConformanceError(`${address.path}: ${networkCause(error)}`);
    }
  }
}

/** The hook of a handler that discovery has shown to be in the catalog. */
function hookOf({ requestHook: { apiVersion, hook } }: DiscoveredHandler): Hook {
  return runtimeCatalog.get({ ...parseGroupVersion(apiVersion), hook });
}

function answerOf<Response extends HookResponse>(hook: Hook<object, Response>, reply: ExtensionReply) {
  if (reply.status !== 200)
    throw new ConformanceError(`answered with ${reply.status} instead of 200: ${textOf(reply).slice(0, 200)}`);
  const body = jsonOf(reply);
  return { body, response: hook.readResponse(body) };
}

function jsonOf(reply: ExtensionReply): Json {
  return decodeFirstJson(reply.body);
}

function textOf({ body }: ExtensionReply): string {
  return Buffer.from(body).toString("utf8");
}

/** Cluster API itself does not look at it. */
function kindNote(body: Json, { apiVersion, responseKind }: Hook): string | undefined {
  const { kind = "nothing", apiVersion: version = "nothing" } = isJsonObject(body) ? body : {};
  if (kind === responseKind && version === apiVersion) return undefined;
  return `the answer should say that it is ${apiVersion}, Kind=${responseKind}`;
}
