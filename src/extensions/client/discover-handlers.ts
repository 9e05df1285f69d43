import type { ExtensionConfig } from "#api";
import { CapstanError, quote, seconds } from "#base";
import { Discovery } from "../catalog/runtime-hook.ts";
import { ExtensionDiscoveryError } from "../errors.ts";
import { registeredName } from "../registry/handler-name.ts";
import type { ExtensionHandler } from "../registry/registration.ts";
import { logRefusal, refusalOf } from "./answer-status.ts";
import type { HandlerPorts } from "./call-handler.ts";
import { checkDiscoveryResponse, type DiscoveredHandler, withHandlerDefaults } from "./discovery-response.ts";
import { callOverHttp } from "./http-call.ts";
import { checkReach } from "./reach.ts";

/** How long an extension may take to say what it has. */
const discoveryTimeout = seconds(10);

/** Asks an extension for its handlers; throws an ExtensionDiscoveryError where that fails in any way. */
export async function discoverHandlers(
  config: ExtensionConfig,
  ports: Omit<HandlerPorts, "registry" | "namespaces" | "cache">,
  signal: AbortSignal | undefined,
): Promise<ExtensionConfig> {
  const { name = "" } = config.metadata;
  const context = `failed to discover extension ${quote(name)}`;
  const { clientConfig } = config.spec;
  try {
    checkReach(clientConfig, Discovery, ports.wire);
    const call = { hook: Discovery, registeredAs: Discovery, config: clientConfig, handler: "", request: {}, signal };
    const response = await callOverHttp({ ...call, timeout: discoveryTimeout }, ports);
    const refusal = refusalOf(response);
    if (refusal !== undefined) {
      logRefusal(ports.log, `the discovery of ${name}`, response);
      throw new ExtensionDiscoveryError(`${context}: ${refusal}`);
    }
    const discovered = withHandlerDefaults(response);
    checkDiscoveryResponse(discovered, ports.catalog);
    return {
      ...config,
      status: { ...config.status, handlers: discovered.handlers.map((handler) => statusOf(handler, name)) },
    };
  } catch (error) {
    if (error instanceof ExtensionDiscoveryError || !(error instanceof CapstanError)) throw error;
    throw new ExtensionDiscoveryError(context, { cause: error });
  }
}

/** As the status of an ExtensionConfig names it; no time at all is left unsaid there. */
function statusOf(
  { name, requestHook, timeoutSeconds = 0, failurePolicy }: DiscoveredHandler,
  extension: string,
): ExtensionHandler {
  return {
    name: registeredName(name, { name: extension }),
    requestHook,
    ...(timeoutSeconds === 0 ? {} : { timeoutSeconds }),
    failurePolicy: failurePolicy === "Ignore" ? "Ignore" : "Fail",
  };
}
