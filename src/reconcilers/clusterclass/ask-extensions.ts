import type { ClusterClass } from "#api";
import { CapstanError, describeError } from "#base";
import { DiscoverVariables, type ExtensionClient, type HookRequest } from "#extensions";
import { keyOf } from "#machinery";

/** What came of asking the extension of a patch for variables. */
export type Outcome =
  | { readonly kind: "answered"; readonly variables: readonly unknown[] }
  | { readonly kind: "refused"; readonly status: string; readonly message: string }
  | { readonly kind: "call-failed"; readonly error: string };

/** A patch and what its extension had to say. */
export interface AskedPatch {
  readonly patch: string;
  readonly outcome: Outcome;
}

/** What asking needs from outside. */
export interface AskOptions {
  readonly extensions: Pick<ExtensionClient, "call">;
  readonly signal: AbortSignal;
}

// One after the other, a class with hundreds of patches would wait for hundreds of answers, and what is sent together
// costs half as much.
const mostAtOnce = 16;

/** Asks the extensions of all patches that have one; patches with the same question share an answer. */
export async function askExtensions(object: ClusterClass, options: AskOptions): Promise<readonly AskedPatch[]> {
  const questions = questionsOf(object);
  const waiting = new Map(questions.map((question) => [question.key, question])).values();
  const outcomes = new Map<string, Outcome>();
  const asker = async (): Promise<void> => {
    for (const question of waiting) outcomes.set(question.key, await ask(question, object, options));
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, questions.length) }, asker));
  return questions.flatMap(({ patch, key }) => {
    const outcome = outcomes.get(key);
    return outcome === undefined ? [] : [{ patch, outcome }];
  });
}

interface Question {
  readonly patch: string;
  readonly handler: string;
  readonly request: Pick<HookRequest, "settings">;
  /** The same for questions that have the same answer. */
  readonly key: string;
}

function questionsOf({ spec: { patches = [] } }: ClusterClass): readonly Question[] {
  return patches.flatMap(({ name: patch, external }) => {
    const { discoverVariablesExtension: handler = "", settings } = external ?? {};
    if (handler === "") return [];
    const request = settings === undefined ? {} : { settings };
    return [{ patch, handler, request, key: JSON.stringify([handler, request]) }];
  });
}

async function ask({ handler, request }: Question, object: ClusterClass, options: AskOptions): Promise<Outcome> {
  const { extensions, signal } = options;
  const call = { for: keyOf(object), cache: true, signal };
  try {
    const { status, message, variables } = await extensions.call(DiscoverVariables, handler, request, call);
    return status === "Success" ? { kind: "answered", variables } : { kind: "refused", status, message };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { kind: "call-failed", error: describeError(error) };
  }
}
