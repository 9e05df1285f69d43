import type { HookResponse } from "../catalog/hook.ts";

/** What several handlers of a hook say together: all went well, what they said, and the soonest time to ask again. */
export function combinedResponse(
  responses: readonly (HookResponse & { readonly retryAfterSeconds?: number })[],
): HookResponse & { readonly retryAfterSeconds: number } {
  const waits = responses.map(({ retryAfterSeconds = 0 }) => retryAfterSeconds).filter((wait) => wait !== 0);
  return {
    status: "Success",
    message: responses
      .map(({ message }) => message)
      .filter((message) => message !== "")
      .join(", "),
    retryAfterSeconds: waits.length === 0 ? 0 : Math.min(...waits),
  };
}
