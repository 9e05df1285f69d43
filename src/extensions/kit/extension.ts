import type { Logger } from "#base";
import type { Hook, HookRequest, HookResponse } from "../catalog/hook.ts";
import type { DiscoveredHandler } from "../client/discovery-response.ts";
import type { PlainAnswer, PlainQuestion } from "./answer-question.ts";
import type { Answer } from "./answers.ts";
import type { ExtensionServer, ListenOptions } from "./listen.ts";

/** What a handler has at hand besides the question. */
export interface HandlerContext {
  /** Aborted when whoever asked waits no longer. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Answers one hook. What it throws becomes the answer that it failed, with the message of the error. */
export type Handler<Request extends HookRequest, Response extends HookResponse> = (
  request: Request,
  context: HandlerContext,
) => Answer<Response> | void | Promise<Answer<Response> | void>;

/** What an extension says about a handler besides its name. */
export interface HandlerOptions {
  /** How long a call may take, 1 to 30; 10 unless told. */
  readonly timeoutSeconds?: number;
  /** What happens where the extension cannot be reached: `Fail` unless told. */
  readonly failurePolicy?: "Fail" | "Ignore";
}

/** A runtime extension in the making, and ready to be called at any time. */
export interface Extension {
  /** Answers a hook under a name; the same extension, to go on with. */
  on<Request extends HookRequest, Response extends HookResponse>(
    hook: Hook<Request, Response>,
    name: string,
    handler: Handler<Request, Response>,
    options?: HandlerOptions,
  ): Extension;
  /** What it says when it is asked for its handlers. */
  readonly handlers: readonly DiscoveredHandler[];
  /** Answers a web request, with no port: for tests, and for servers of your own. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same without the objects of the web, for planes in the same process. */
  readonly answer: (question: PlainQuestion) => Promise<PlainAnswer>;
  /** Serves over HTTPS until it is closed. */
  listen(options?: ListenOptions): Promise<ExtensionServer>;
}
