import { CapstanError } from "#base";

/** A pass that did not end in time; it was abandoned, and whatever it still tries to do is refused. */
export class PassDeadlineError extends CapstanError {
  readonly code = "PASS_DEADLINE_EXCEEDED";
}

/** Two different indexes of one name, of which only one could be meant. */
export class IndexExistsError extends CapstanError {
  readonly code = "INDEX_EXISTS";

  constructor(name: string) {
    super(`there is another index called ${name} already`);
  }
}

/** Something was asked of caches that have been stopped. */
export class CacheStoppedError extends CapstanError {
  readonly code = "CACHE_STOPPED";
}

/** Objects were asked for that a cache does not hold by choice, so that it cannot tell whether they exist. */
export class NotCachedError extends CapstanError {
  readonly code = "NOT_CACHED";
}

/** This process does not lead any more, so that it must not act. */
export class LeadershipLostError extends CapstanError {
  readonly code = "LEADERSHIP_LOST";
}

/** Something that must not fail did, and the manager has stopped because of it. */
export class RunnableFailedError extends CapstanError {
  readonly code = "RUNNABLE_FAILED";
}

/** Something was added to a manager that runs already, or under a name that is taken. */
export class ManagerMisuseError extends CapstanError {
  readonly code = "MANAGER_MISUSE";
}
