import type { Logger } from "#base";
import { quote } from "#base";
import type { HookResponse } from "../catalog/hook.ts";

/** Why an answer is none that one can work with; undefined where it says Success. */
export function refusalOf({ status }: HookResponse): string | undefined {
  if (status === "Success") return undefined;
  const what = status === "Failure" ? "failure response" : `unknown response status ${quote(status)}`;
  return `got ${what}, please check controller logs for errors`;
}

/** Says what an extension answered instead of Success: nowhere else does it stand. */
export function logRefusal(log: Logger, question: string, { status, message }: HookResponse): void {
  log.warn(`${question} was not answered with success`, { status, answer: message });
}
