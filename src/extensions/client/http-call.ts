import { CapstanError, type Clock, type Duration, formatDuration, quote, wrap } from "#base";
import { withDeadline } from "#client";
import { apiVersionOf, decodeFirstJson, encodeJson, InvalidJsonError, type Json, JsonTooDeepError } from "#machinery";
import type { Catalog } from "../catalog/catalog.ts";
import { describeHook, type GroupVersionHook } from "../catalog/group-version-hook.ts";
import type { Hook, HookRequest, HookResponse } from "../catalog/hook.ts";
import { CatalogError, ExtensionAddressError, ExtensionHttpError, MalformedMessageError } from "../errors.ts";
import type { ClientConfig } from "../registry/registration.ts";
import type { ExtensionMetrics } from "../wire/extension-metrics.ts";
import { type ExtensionUrl, extensionUrl, printUrl, withTimeout } from "../wire/extension-url.ts";
import type { ExtensionReply, ExtensionWire } from "../wire/extension-wire.ts";
import { networkCause } from "../wire/network-cause.ts";

/** What every call needs from outside. */
export interface CallPorts {
  readonly catalog: Catalog;
  readonly wire: ExtensionWire;
  readonly metrics: ExtensionMetrics;
  readonly clock: Clock;
}

/** One call of one handler. */
export interface HttpCall<Request extends HookRequest, Response extends HookResponse> {
  readonly hook: Hook<Request, Response>;
  /** The hook in the version that the handler registered for. */
  readonly registeredAs: GroupVersionHook;
  readonly config: ClientConfig;
  /** Empty for the hook itself. */
  readonly handler: string;
  readonly request: Request;
  readonly timeout: Duration;
  readonly signal?: AbortSignal | undefined;
}

// What of a refusal's body is quoted; a condition has to hold it.
const mostQuoted = 4096;

/** Asks a handler over HTTP. All that can go wrong on the way is an ExtensionHttpError. */
export async function callOverHttp<Request extends HookRequest, Response extends HookResponse>(
  call: HttpCall<Request, Response>,
  ports: CallPorts,
): Promise<Response> {
  const url = urlOf(call);
  const body = bodyOf(call, ports.catalog);
  const start = ports.clock.elapsed();
  let code: number | undefined;
  let status = "";
  try {
    const reply = await exchange(call, ports, { url, body });
    code = reply.status;
    const response = readReply(call.hook, reply);
    status = response.status;
    return response;
  } finally {
    const seconds = (ports.clock.elapsed() - start) / 1000;
    ports.metrics.finished({ host: url.host, hook: call.hook, code, status, seconds });
  }
}

function urlOf({ config, registeredAs, handler, timeout }: HttpCall<HookRequest, HookResponse>): ExtensionUrl {
  try {
    return withTimeout(extensionUrl(config, registeredAs, handler), formatDuration(timeout));
  } catch (error) {
    if (!(error instanceof ExtensionAddressError)) throw error;
    throw new ExtensionHttpError("http call failed", { cause: error });
  }
}

/** A handler that registered for another version is asked in that version, if the catalog knows it. */
function bodyOf({ hook, registeredAs, request }: HttpCall<HookRequest, HookResponse>, catalog: Catalog): string {
  if (catalog.find(registeredAs) === undefined) {
    const why = new CatalogError(`hook is not registered in catalog ${quote(catalog.name)}`);
    const context = wrap(why, `failed to create request object for hook ${describeHook(registeredAs)}`);
    throw new ExtensionHttpError("http call failed", { cause: context });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- questions are declared with fields that hold JSON alone
  const fields = request as unknown as { readonly [name: string]: Json };
  return encodeJson({ apiVersion: apiVersionOf(registeredAs), kind: hook.requestKind, ...fields });
}

async function exchange(
  call: HttpCall<HookRequest, HookResponse>,
  { wire, clock }: CallPorts,
  { url, body }: { readonly url: ExtensionUrl; readonly body: string },
): Promise<ExtensionReply> {
  const { config, timeout, signal: outer } = call;
  const what = `the call of ${describeHook(call.registeredAs)}`;
  try {
    return await withDeadline({ clock, timeout, signal: outer, what }, (signal) =>
      wire.post({ url, caBundle: config.caBundle ?? "", body, signal }),
    );
  } catch (error) {
    // Whoever gave up did not want an answer; that is no failure of the extension.
    if (outer?.aborted === true || !(error instanceof CapstanError)) throw error;
    throw new ExtensionHttpError(`http call failed: Post ${quote(printUrl(url))}: ${networkCause(error)}`);
  }
}

function readReply<Response extends HookResponse>(
  hook: Hook<HookRequest, Response>,
  { status, body }: ExtensionReply,
): Response {
  if (status !== 200) {
    const text = Buffer.from(body).toString("utf8");
    const shown = text.length > mostQuoted ? `${text.slice(0, mostQuoted)}...` : text;
    const refusal = `got response with status code ${status} != 200: response: ${quote(shown)}`;
    throw new ExtensionHttpError(`http call failed: ${refusal}`);
  }
  try {
    return hook.readResponse(firstValue(body));
  } catch (error) {
    const isTheirs = error instanceof InvalidJsonError || error instanceof JsonTooDeepError;
    if (!isTheirs && !(error instanceof MalformedMessageError)) throw error;
    throw new ExtensionHttpError("http call failed: failed to decode response", { cause: error });
  }
}

/** One value is read and what follows is ignored; of nothing comes what a reader of streams says at its end. */
function firstValue(body: Uint8Array): Json {
  if (Buffer.from(body).toString("latin1").trim() === "") throw new InvalidJsonError("EOF");
  try {
    return decodeFirstJson(body);
  } catch (error) {
    const isCutOff = error instanceof InvalidJsonError && error.message === "unexpected end of JSON input";
    throw isCutOff ? new InvalidJsonError("unexpected EOF") : error;
  }
}
