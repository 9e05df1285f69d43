import { CapstanError } from "#base";

/** A pass that did not end in time; it was abandoned, and whatever it still tries to do is refused. */
export class PassDeadlineError extends CapstanError {
  readonly code = "PASS_DEADLINE_EXCEEDED";
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

/** Health or diagnostics cannot be served where they were told to be. */
export class ManagerListenError extends CapstanError {
  readonly code = "MANAGER_LISTEN_FAILED";
}

/** A step or a row asked for another pass after a time that is none. */
export class InvalidNextError extends CapstanError {
  readonly code = "INVALID_NEXT";
}

/** The certificate that webhooks are to be served with is not there, or is none. */
export class WebhookCertificateError extends CapstanError {
  readonly code = "WEBHOOK_CERTIFICATE";
}
