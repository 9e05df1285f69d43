import { type Fields, type MembersOf, s } from "#machinery";
import { defineHook, type Hook, type HookResponse, type RetryResponse } from "./hook.ts";

const names = { group: "hooks.runtime.cluster.x-k8s.io", version: "v1alpha1" } as const;

const settings = {
  settings: s.map(s.string()).describe("Settings of the ExtensionConfig and of the caller.").optional(),
};

const retryField = {
  retryAfterSeconds: s.integer({ default: 0 }).describe("More than zero: ask again after so many seconds."),
};

/** What tells a hook of Cluster API from the others. */
export interface RuntimeHookDeclaration<Request extends Fields, Response extends Fields> {
  readonly hook: string;
  readonly summary: string;
  readonly request?: Request;
  readonly response?: Response;
  /** True where asking changes nothing. */
  readonly onlyAsks?: boolean;
}

type WithSettings<Request extends Fields> = MembersOf<Request & typeof settings>;

/** Declares a hook of Cluster API whose answer says whether it went well. */
export function defineRuntimeHook<const Request extends Fields = {}, const Response extends Fields = {}>(
  declaration: RuntimeHookDeclaration<Request, Response>,
): Hook<WithSettings<Request>, MembersOf<Response> & HookResponse>;
export function defineRuntimeHook(declaration: RuntimeHookDeclaration<Fields, Fields>): Hook {
  const { request = {}, response = {}, onlyAsks = false, ...rest } = declaration;
  return defineHook({
    ...names,
    ...rest,
    request: { ...request, ...settings },
    response,
    onlyAsks,
    canHoldBack: false,
  });
}

/** Declares a hook of Cluster API whose answer can hold back what comes next. */
export function defineHoldingHook<const Request extends Fields>(
  declaration: RuntimeHookDeclaration<Request, Fields> & { readonly request: Request },
): Hook<WithSettings<Request>, RetryResponse>;
export function defineHoldingHook({ request, ...rest }: RuntimeHookDeclaration<Fields, Fields>): Hook {
  return defineHook({
    ...names,
    ...rest,
    request: { ...request, ...settings },
    response: retryField,
    onlyAsks: false,
    canHoldBack: true,
  });
}

/** The question by which an extension is asked what it has; it alone has no settings. */
export const Discovery = defineHook({
  ...names,
  hook: "Discovery",
  summary: "Asks an extension for its handlers.",
  request: {},
  response: {
    handlers: s
      .list(
        s.object({
          name: s.string({ default: "" }).describe("The name of the handler: a DNS label, unique in the extension."),
          requestHook: s
            .object(
              {
                apiVersion: s.string({ default: "" }).describe("The group and version of the hook."),
                hook: s.string({ default: "" }).describe("The name of the hook."),
              },
              { default: {} },
            )
            .describe("The hook that the handler answers."),
          timeoutSeconds: s.integer().describe("How long a call may take, 0 to 30; 10 if not set.").optional(),
          failurePolicy: s
            .string()
            .describe("Fail or Ignore: what happens where the extension cannot be reached; Fail if not set.")
            .optional(),
        }),
        { default: [] },
      )
      .describe("The handlers of the extension."),
  },
  onlyAsks: true,
  canHoldBack: false,
});
