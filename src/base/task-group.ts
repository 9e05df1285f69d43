import { CapstanError } from "./errors.ts";

/** A task that was handed to a group whose block had been left. */
export class TaskGroupClosedError extends CapstanError {
  readonly code = "TASK_GROUP_CLOSED";

  constructor() {
    super("a task group takes no tasks once its block has been left");
  }
}

/** Some work that ends early when its signal is aborted. */
export type Task = (signal: AbortSignal) => Promise<unknown>;

/** Owns the promises of a block: the block is not left before all of them have ended. */
export interface TaskGroup extends AsyncDisposable {
  /** Aborted by the first failure, by the outer signal, and by `cancel`. */
  readonly signal: AbortSignal;
  /** Starts a task, from the block or from another task. */
  spawn(task: Task): void;
  /** Asks all tasks to end. */
  cancel(reason?: unknown): void;
}

/**
 * Opens a task group: `await using group = taskGroup(signal)`. Leaving the block waits for every task. The first
 * failure cancels the rest and is what the block throws. Aborting the outer signal cancels all.
 *
 * The group does not see what the block itself throws and then waits all the same, so whatever may fail while
 * endless tasks run belongs into a task, too.
 */
export function taskGroup(outer?: AbortSignal): TaskGroup {
  const controller = new AbortController();
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let isClosed = false;

  const cancel = (reason?: unknown): void => controller.abort(reason);
  const onOuterAbort = (): void => cancel(outer?.reason);
  if (outer?.aborted) onOuterAbort();
  outer?.addEventListener("abort", onOuterAbort, { once: true });

  async function run(task: Task): Promise<void> {
    try {
      await task(controller.signal);
    } catch (error) {
      failure ??= { error };
      cancel(error);
    }
  }

  return {
    signal: controller.signal,
    cancel,
    spawn(task) {
      if (isClosed) throw new TaskGroupClosedError();
      const promise = run(task).finally(() => running.delete(promise));
      running.add(promise);
    },
    async [Symbol.asyncDispose]() {
      // Tasks may spawn others while they end.
      while (running.size > 0) await Promise.all(running);
      isClosed = true;
      outer?.removeEventListener("abort", onOuterAbort);
      if (failure !== undefined) throw failure.error;
    },
  };
}
