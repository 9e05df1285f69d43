import { type Clock, createLogger, type Logger, systemClock } from "#base";
import { labelName } from "#machinery";
import { describeHook, hookPath } from "../catalog/group-version-hook.ts";
import type { Hook, HookRequest, HookResponse } from "../catalog/hook.ts";
import { Discovery } from "../catalog/runtime-hook.ts";
import type { DiscoveredHandler } from "../client/discovery-response.ts";
import { ExtensionDefinitionError } from "../errors.ts";
import { answerQuestion, type HandlerEntry } from "./answer-question.ts";
import type { Extension, Handler, HandlerOptions } from "./extension.ts";
import { listen } from "./listen.ts";

/** What an extension is made with. */
export interface ExtensionOptions {
  /** Hears of handlers that fail; standard error unless told. */
  readonly log?: Logger;
  readonly clock?: Clock;
}

/** Makes an extension without handlers. */
export function createExtension({ clock = systemClock, log = errorLog(clock) }: ExtensionOptions = {}): Extension {
  const handlers: DiscoveredHandler[] = [];
  const entries = new Map<string, HandlerEntry>();
  const extension: Extension = {
    on<Request extends HookRequest, Response extends HookResponse>(
      hook: Hook<Request, Response>,
      name: string,
      handler: Handler<Request, Response>,
      options: HandlerOptions = {},
    ) {
      const problem = problemWith(hook, name, options) ?? repetitionOf(name);
      if (problem !== undefined) throw new ExtensionDefinitionError(`handler ${name} of ${hook.hook} ${problem}`);
      handlers.push({ name, requestHook: { apiVersion: hook.apiVersion, hook: hook.hook }, ...options });
      enter(hook, name, handler);
      return extension;
    },
    get handlers() {
      return [...handlers];
    },
    answer: (question) => answerQuestion(question, entries, { log, clock }),
    async fetch(request) {
      const { method, url, signal } = request;
      const { pathname, search } = new URL(url);
      const question = { method, path: `${pathname}${search}`, body: await request.text(), signal };
      const { status, headers, body } = await extension.answer(question);
      return new Response(body, { status, headers });
    },
    listen: (options = {}) => listen(extension.answer, { clock, ...options }),
  };
  enter(Discovery, "", () => ({ handlers: extension.handlers }));
  return extension;

  function enter<Request extends HookRequest, Response extends HookResponse>(
    hook: Hook<Request, Response>,
    name: string,
    handler: Handler<Request, Response>,
  ): void {
    entries.set(hookPath(hook, name), {
      name: `${name === "" ? "" : `${name} of `}${describeHook(hook)}`,
      hook,
      // Each handler is only ever handed what its own hook has read.
      answer: async (body, context) => (await handler(hook.readRequest(body), context)) ?? {},
    });
  }

  function repetitionOf(name: string): string | undefined {
    return handlers.some((other) => other.name === name) ? "has a name that another handler has already" : undefined;
  }
}

function problemWith(hook: Hook, name: string, { timeoutSeconds = 10 }: HandlerOptions): string | undefined {
  if (hook.hook === Discovery.hook) return "answers what every extension answers by itself";
  const [spelling] = labelName.name(name);
  if (spelling !== undefined) return `has no name that can be used: ${spelling}`;
  const isTime = Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= 30;
  return isTime ? undefined : `may take between 1 and 30 seconds, not ${timeoutSeconds}`;
}

function errorLog(clock: Clock): Logger {
  return createLogger({ format: "text", level: "info", clock, destination: process.stderr });
}
