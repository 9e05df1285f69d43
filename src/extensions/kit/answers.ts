import { type Duration, seconds } from "#base";
import type { HookResponse, RetryResponse } from "../catalog/hook.ts";

/** What a handler may leave unsaid: everything. Without a status it went well. */
export type Answer<Response extends HookResponse> = {
  readonly [Name in keyof Response]?: Name extends "status" ? "Success" | "Failure" : Response[Name];
};

/** Goes on: nothing holds the cluster back. */
export const proceed: RetryResponse & { readonly status: "Success" } = {
  status: "Success",
  message: "",
  retryAfterSeconds: 0,
};

/** Not yet: ask again after so long. People read the message while they wait. */
export function waitFor(duration: Duration, message: string): typeof proceed {
  // Less than a second would mean to go on.
  const retryAfterSeconds = Math.max(1, Math.ceil(duration / seconds(1)));
  return { status: "Success", message, retryAfterSeconds };
}

/** No: what was asked for must not happen. The reason stands in the log of whoever asked. */
export function refuse(message: string): HookResponse & { readonly status: "Failure" } {
  return { status: "Failure", message };
}
