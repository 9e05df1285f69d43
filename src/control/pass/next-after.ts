import { aggregate, awaitChange, CapstanError, ContextError, type Next, retry } from "#base";
import { InvalidNextError } from "../errors.ts";

/** The errors for which a retry was asked, and those of wishes that nobody can fulfil. */
export function errorsOf(wishes: readonly Next[]): readonly Error[] {
  return wishes.flatMap((wish) => {
    if (wish.kind === "retry") return [wish.error];
    if (wish.kind !== "requeue" || Number.isFinite(wish.after)) return [];
    return [new InvalidNextError(`another pass was asked for after ${String(wish.after)} milliseconds: ${wish.why}`)];
  });
}

/** An error beats everything, several become one, and those that come again however often one tries are not retried. */
export function nextAfter(errors: readonly Error[], wish: Next): Next {
  const worthwhile = errors.filter((error) => !isTerminal(error));
  const [first] = worthwhile;
  if (first === undefined) return wish.kind === "retry" ? awaitChange : wish;
  return retry(worthwhile.length === 1 ? first : (aggregate(worthwhile) ?? first));
}

/** True where trying again cannot help: an error that says so, or a list of nothing else. */
export function isTerminal(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isTerminal);
  if (error instanceof ContextError) return isTerminal(error.cause);
  return error instanceof CapstanError && error.terminal;
}
