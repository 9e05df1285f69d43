// A chain longer than this is a cycle or an accident, and printing it helps nobody.
const longestChain = 100;

/** The root of every error this program throws on purpose. */
export abstract class CapstanError extends Error {
  /** Stable and greppable: what tests, metrics and callers match on, never the message. */
  abstract readonly code: string;

  /** A terminal error is logged and counted, and the pass that met it is not retried. */
  readonly terminal: boolean = false;

  /** A passing error belongs to the course of things and ends by itself: nobody has to be told who does not ask. */
  readonly passing: boolean = false;

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Says what was being attempted when another error came up; the other one is its cause. */
export class ContextError extends CapstanError {
  readonly code = "CONTEXT";
}

/** True for an error that ends by itself, or that comes from one. */
export function isPassing(error: unknown): boolean {
  let link = error;
  for (let depth = 0; depth < longestChain && link instanceof CapstanError; depth++) {
    if (link.passing) return true;
    link = link.cause;
  }
  return false;
}

/** Puts a sentence in front of an error: described, it reads `<text>: <error>`. No error stays no error. */
export function wrap(error: undefined, text: string): undefined;
export function wrap(error: unknown, text: string): ContextError;
export function wrap(error: unknown, text: string): ContextError | undefined {
  return error === undefined ? undefined : new ContextError(text, { cause: error });
}

/** Joins errors into one. Absent entries are dropped, and of nothing comes nothing. */
export function aggregate(errors: readonly (Error | undefined)[]): AggregateError | undefined {
  const present = errors.filter((error) => error !== undefined);
  return present.length === 0 ? undefined : new AggregateError(present, describeAll(present, longestChain));
}

/** Prints an error with its causes as `a: b: c`, and several at once as `[a, b]`. */
export function describeError(error: unknown): string {
  return describe(error, longestChain);
}

/** Several messages as one: `[a, b]`, or the message itself where there is but one. Equal ones count once. */
export function joinMessages(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? String(distinct[0]) : `[${distinct.join(", ")}]`;
}

/** Makes an Error of whatever was thrown. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new ContextError(`thrown: ${textOf(thrown)}`);
}

/** Finds the first error of a class among an error, its causes and the members of aggregates. */
export function findError<E extends Error>(
  error: unknown,
  type: abstract new (...parameters: never[]) => E,
): E | undefined {
  return search(error, type, longestChain);
}

function describe(error: unknown, left: number): string {
  if (left === 0) return "…";
  if (error instanceof AggregateError) return describeAll(error.errors, left - 1);
  if (!(error instanceof Error)) return textOf(error);
  if (error.cause === undefined) return error.message;
  return `${error.message}: ${describe(error.cause, left - 1)}`;
}

/** Directly nested aggregates count as one list. */
function describeAll(errors: readonly unknown[], left: number): string {
  return joinMessages(flatten(errors, left).map((error) => describe(error, left)));
}

function flatten(errors: readonly unknown[], left: number): unknown[] {
  return errors.flatMap((error) =>
    error === undefined || error === null
      ? []
      : error instanceof AggregateError && left > 0
        ? flatten(error.errors, left - 1)
        : [error],
  );
}

function search<E extends Error>(
  error: unknown,
  type: abstract new (...parameters: never[]) => E,
  left: number,
): E | undefined {
  if (left === 0 || !(error instanceof Error)) return undefined;
  if (error instanceof type) return error;
  const inside: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  for (const next of inside) {
    const found = search(next, type, left - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Anything can be thrown, even what cannot be made a text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
