import type { HookRequest } from "../catalog/hook.ts";

type Settings = { readonly [name: string]: string };

/** The question with the settings of the ExtensionConfig, over which those of the caller win; none are not sent. */
export function withSettings<Request extends HookRequest>(request: Request, registered: Settings): Request {
  const settings = { ...registered, ...request.settings };
  if (Object.keys(settings).length > 0) return { ...request, settings };
  const { settings: _, ...rest } = request;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- settings are optional in every question
  return rest as Request;
}
