import { CapstanError, type Logger, quote, seconds, wrap } from "#base";
import { describeKey } from "#machinery";
import { describeGroupHook } from "../catalog/group-version-hook.ts";
import type { Hook, HookRequest, HookResponse } from "../catalog/hook.ts";
import { CatalogError, ExtensionCallError, ExtensionHttpError } from "../errors.ts";
import { ownHandlerName } from "../registry/handler-name.ts";
import type { Registration } from "../registry/registration.ts";
import type { ExtensionRegistry } from "../registry/registry.ts";
import { logRefusal, refusalOf } from "./answer-status.ts";
import { defaultTimeoutSeconds } from "./discovery-response.ts";
import type { CallOptions } from "./extension-client.ts";
import { type CallPorts, callOverHttp } from "./http-call.ts";
import { matchesNamespace, type NamespaceReader } from "./namespace-match.ts";
import { checkReach } from "./reach.ts";
import { cacheKey, type ResponseCache } from "./response-cache.ts";
import { withSettings } from "./settings.ts";

/** What a call of a registered handler needs from outside. */
export interface HandlerPorts extends CallPorts {
  readonly registry: ExtensionRegistry;
  readonly namespaces: NamespaceReader;
  readonly cache: ResponseCache;
  readonly log: Logger;
}

/** One question to one registered handler. */
export interface HandlerCall<Request extends HookRequest, Response extends HookResponse> extends CallOptions {
  readonly hook: Hook<Request, Response>;
  /** The registered name. */
  readonly handler: string;
  readonly request: Request;
}

/** Asks a registered handler. Whatever goes wrong on the way is an ExtensionCallError. */
export async function callHandler<Request extends HookRequest, Response extends HookResponse>(
  call: HandlerCall<Request, Response>,
  ports: HandlerPorts,
): Promise<Response> {
  try {
    const registration = registrationFor(call, ports);
    await checkNamespace(call, registration, ports);
    const request = withSettings(call.request, registration.settings);
    const { cache = false } = call;
    if (cache === false) return await ask({ ...call, request }, registration, ports);

    const key = cacheKey(registration, request, cache === true ? [] : cache);
    const kept = ports.cache.get(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- under the name of a handler stand answers to its own hook
    if (kept !== undefined) return kept as Response;
    return await ask({ ...call, request }, registration, ports, (response) => ports.cache.put(key, response));
  } catch (error) {
    if (error instanceof ExtensionCallError || !(error instanceof CapstanError)) throw error;
    throw new ExtensionCallError(failureOf(call), { cause: error });
  }
}

function failureOf({ handler }: { readonly handler: string }): string {
  return `failed to call extension handler ${quote(handler)}`;
}

function registrationFor(
  { hook, handler }: HandlerCall<HookRequest, HookResponse>,
  { catalog, registry }: HandlerPorts,
): Registration {
  if (catalog.find(hook) === undefined) {
    const why = `hook ${hook.hook} is not registered in catalog ${quote(catalog.name)}`;
    throw wrap(new CatalogError(why), "failed to compute GroupVersionHook");
  }
  const registration = registry.get(handler);
  if (describeGroupHook(registration.hook) !== describeGroupHook(hook)) {
    const why = `handler does not match GroupHook ${quote(describeGroupHook(hook))}`;
    throw new ExtensionCallError(`${failureOf({ handler })}: ${why}`);
  }
  return registration;
}

async function checkNamespace(
  { handler, for: object = { name: "" }, signal }: HandlerCall<HookRequest, HookResponse>,
  { namespaceSelector }: Registration,
  { namespaces, log }: HandlerPorts,
): Promise<void> {
  const { namespace = "" } = object;
  const matches = await matchesNamespace(namespaceSelector, namespace, { namespaces, signal }).catch(
    (error: unknown) => {
      // The reference says no more than this; what is behind it stands in the log.
      log.error("the namespace of an object could not be read", error, { handler, namespace });
      throw new ExtensionCallError(failureOf({ handler }));
    },
  );
  if (matches) return;
  const why = `namespaceSelector did not match object ${describeKey(object)}`;
  throw new ExtensionCallError(`${failureOf({ handler })}: ${why}`);
}

async function ask<Request extends HookRequest, Response extends HookResponse>(
  { hook, handler, request, signal }: HandlerCall<Request, Response>,
  registration: Registration,
  ports: HandlerPorts,
  keep?: (response: Response) => void,
): Promise<Response> {
  const { clientConfig: config, hook: registeredAs, extensionConfigName, timeoutSeconds } = registration;
  checkReach(config, registeredAs, ports.wire);
  const timeout = seconds(timeoutSeconds === 0 ? defaultTimeoutSeconds : timeoutSeconds);
  const ownName = ownHandlerName(registration.name, extensionConfigName);
  try {
    const response = await callOverHttp(
      { hook, registeredAs, config, handler: ownName, request, timeout, signal },
      ports,
    );
    const refusal = refusalOf(response);
    if (refusal !== undefined) {
      logRefusal(ports.log, `the call of ${handler}`, response);
      throw new ExtensionCallError(`${failureOf({ handler })}: ${refusal}`, { response });
    }
    keep?.(response);
    return response;
  } catch (error) {
    if (!(error instanceof ExtensionHttpError) || registration.failurePolicy !== "Ignore") throw error;
    ports.log.error("a failed call of an extension is ignored, as its failure policy says", error, { handler });
    return { ...hook.readResponse(null), status: "Success" };
  }
}
