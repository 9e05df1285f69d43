import { aggregate, bracketed, describeError, wrap } from "#base";
import { labelName, parseGroupVersion } from "#machinery";
import type { Catalog } from "../catalog/catalog.ts";
import type { ResponseOf } from "../catalog/hook.ts";
import type { Discovery } from "../catalog/runtime-hook.ts";
import { DiscoveryResponseError } from "../errors.ts";

/** What an extension says that it has. */
export type DiscoveryResponse = ResponseOf<typeof Discovery>;

/** A handler as its extension describes it. */
export type DiscoveredHandler = DiscoveryResponse["handlers"][number];

/** How long a call may take where nobody said. */
export const defaultTimeoutSeconds = 10;

/** Fills in what handlers left unsaid: Fail, and ten seconds. */
export function withHandlerDefaults(response: DiscoveryResponse): DiscoveryResponse {
  const defaults = { failurePolicy: "Fail", timeoutSeconds: defaultTimeoutSeconds };
  return { ...response, handlers: response.handlers.map((handler) => ({ ...defaults, ...handler })) };
}

/** Throws a DiscoveryResponseError unless every handler is one that can be called. */
export function checkDiscoveryResponse(response: DiscoveryResponse | undefined, catalog: Catalog): void {
  const context = "failed to validate discovery response";
  if (response === undefined) throw new DiscoveryResponseError(`${context}: response is nil`);
  const seen = new Set<string>();
  const problems = response.handlers.flatMap((handler) => {
    const repeated = seen.has(handler.name) ? [`duplicate name for handler ${handler.name} found`] : [];
    seen.add(handler.name);
    return [...repeated, ...problemsOf(handler, catalog)];
  });
  const problem = aggregate(problems.map((text) => new DiscoveryResponseError(text)));
  if (problem !== undefined) throw wrap(problem, context);
}

function problemsOf(handler: DiscoveredHandler, catalog: Catalog): readonly string[] {
  const { name, timeoutSeconds = 0, failurePolicy = "" } = handler;
  const spelling = labelName.name(name);
  return [
    ...(spelling.length === 0 ? [] : [`handler name ${name} is not valid: ${bracketed(spelling)}`]),
    ...(timeoutSeconds >= 0 && timeoutSeconds <= 30
      ? []
      : [`handler ${name} timeoutSeconds ${timeoutSeconds} must be between 0 and 30`]),
    ...(failurePolicy === "Fail" || failurePolicy === "Ignore"
      ? []
      : [`handler ${name} failurePolicy ${failurePolicy} must equal "Ignore" or "Fail"`]),
    ...hookProblems(handler, catalog),
  ];
}

function hookProblems({ name, requestHook }: DiscoveredHandler, catalog: Catalog): readonly string[] {
  const { apiVersion, hook } = requestHook;
  try {
    const known = catalog.find({ ...parseGroupVersion(apiVersion), hook }) !== undefined;
    return known ? [] : [`handler ${name} requestHook ${apiVersion}/${hook} is not in the Runtime SDK catalog`];
  } catch (error) {
    return [`handler ${name} requestHook APIVersion ${apiVersion} is not valid: ${describeError(error)}`];
  }
}
