import { CapstanError, describeError } from "#base";

/** What a call gave: its result, or the text of its error. */
export interface Outcome<T> {
  readonly error?: string;
  readonly result?: T;
}

/** Runs something; an error thrown on purpose becomes its text, any other goes on. */
export function outcome<T>(run: () => T, fallback?: T): Outcome<T> {
  try {
    return { result: run() };
  } catch (error) {
    return { error: errorText(error), ...(fallback === undefined ? {} : { result: fallback }) };
  }
}

/** The members of a result, or the error. */
export async function members<T extends object>(
  result: Promise<T> | (() => T),
): Promise<T | { readonly error: string }> {
  try {
    return await (typeof result === "function" ? result() : result);
  } catch (error) {
    return { error: errorText(error) };
  }
}

/** The text of an error thrown on purpose; any other is a crash. */
export function errorText(error: unknown): string {
  if (error instanceof CapstanError || error instanceof AggregateError) return describeError(error);
  throw error;
}
