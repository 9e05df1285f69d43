import { apiVersionOf, decodeJson, encodeJson, type Json } from "#machinery";
import { hookPath } from "../catalog/group-version-hook.ts";
import type { Hook, HookRequest, HookResponse } from "../catalog/hook.ts";
import { ExtensionHttpError } from "../errors.ts";

/** Something that answers web requests, as extensions do. */
export type Fetch = (request: Request) => Promise<Response>;

/** Asks a handler of an extension directly, as a plane would over the network: for tests. */
export async function callHook<Request_ extends HookRequest, Response_ extends HookResponse>(
  fetch: Fetch,
  hook: Hook<Request_, Response_>,
  handler: string,
  request: Request_,
): Promise<Response_> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- questions are declared with fields that hold JSON alone
  const fields = request as unknown as { readonly [name: string]: Json };
  const body = encodeJson({ apiVersion: apiVersionOf(hook), kind: hook.requestKind, ...fields });
  const response = await fetch(new Request(`https://extension${hookPath(hook, handler)}`, { method: "POST", body }));
  const text = await response.text();
  if (response.status !== 200)
    throw new ExtensionHttpError(`${hook.hook} was answered with ${response.status}: ${text}`);
  return hook.readResponse(decodeJson(text).value);
}
