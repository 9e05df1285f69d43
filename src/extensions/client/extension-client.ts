import type { ExtensionConfig } from "#api";
import type { ObjectKey } from "#machinery";
import type { Hook, HookRequest, HookResponse } from "../catalog/hook.ts";

/** On whose behalf a handler is called, and how. */
export interface CallOptions {
  /**
   * The object that the question is about; its namespace has to be one that the ExtensionConfig selects. Without it
   * only handlers that select all namespaces can be called.
   */
  readonly for?: ObjectKey;
  readonly signal?: AbortSignal;
  /**
   * Takes an answer of the last ten minutes: `true` where it depends on handler and settings alone, otherwise what it
   * depends on besides.
   */
  readonly cache?: boolean | readonly string[];
}

/** Calls runtime extensions. */
export interface ExtensionClient {
  /** Opens the registry with what these ExtensionConfigs stand for. */
  warmUp(configs: readonly ExtensionConfig[]): void;
  /** False until the registry was warmed up. */
  isReady(): boolean;
  /** Asks an extension for its handlers; the same ExtensionConfig with these in its status. */
  discover(config: ExtensionConfig, options?: { readonly signal?: AbortSignal }): Promise<ExtensionConfig>;
  /** Makes the handlers of an ExtensionConfig callable, in place of those it had. */
  register(config: ExtensionConfig): void;
  /** Forgets the handlers of an ExtensionConfig. */
  unregister(config: { readonly name: string }): void;
  /** The registered names of the handlers of a hook that may be called for an object, in the order of registration. */
  handlersFor(hook: Hook, object: ObjectKey, options?: { readonly signal?: AbortSignal }): Promise<readonly string[]>;
  /**
   * Asks one handler by its registered name. Throws an ExtensionCallError where it cannot be reached (unless its policy
   * is to ignore that: then the answer is an empty success) and where it does not answer with success.
   */
  call<Request extends HookRequest, Response extends HookResponse>(
    hook: Hook<Request, Response>,
    handler: string,
    request: Request,
    options?: CallOptions,
  ): Promise<Response>;
  /**
   * Asks every handler of a hook for an object, one after the other; the first failure ends it. The answer joins
   * messages and holds the shortest time after which to ask again.
   */
  callAll<Request extends HookRequest, Response extends HookResponse>(
    hook: Hook<Request, Response>,
    object: ObjectKey,
    request: Request,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Response>;
  /** Ends all connections. */
  close(): void;
}
