import { CapstanError } from "#base";
import { describeKind, type GroupVersionKind } from "#machinery";

/** A kubeconfig that cannot be used; the message names the file and the field. */
export class KubeconfigError extends CapstanError {
  readonly code = "INVALID_KUBECONFIG";
  readonly file: string;
  /** Where in the file, such as `users[admin].user.exec.command`; empty where the whole file is meant. */
  readonly field: string;

  constructor(at: { readonly file: string; readonly field?: string }, problem: string, cause?: unknown) {
    const { file, field = "" } = at;
    super(`kubeconfig ${file}: ${field === "" ? "" : `${field} `}${problem}`, cause === undefined ? {} : { cause });
    this.file = file;
    this.field = field;
  }
}

/** There is no server to talk to: no kubeconfig, no cluster around this process, or no URL that leads to one. */
export class NoConnectionError extends CapstanError {
  readonly code = "NO_CONNECTION";
}

/** A token or certificate file that cannot be read. */
export class CredentialFileError extends CapstanError {
  readonly code = "CREDENTIAL_FILE_UNREADABLE";
}

/** A program of a kubeconfig that was to hand out credentials and did not. */
export class ExecPluginError extends CapstanError {
  readonly code = "EXEC_PLUGIN_FAILED";
}

/** The server could not be reached, or the connection broke before the whole answer was there. */
export class ConnectionError extends CapstanError {
  readonly code = "CONNECTION_FAILED";
  /** False where the server cannot have seen the request, so that any request may be sent again. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, options: { readonly mayHaveArrived: boolean; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.mayHaveArrived = options.mayHaveArrived;
  }
}

/** A call whose time was over before its answer was there. */
export class DeadlineExceededError extends CapstanError {
  readonly code = "DEADLINE_EXCEEDED";
}

/** An answer that is no JSON, not of the form that was asked for, or larger than allowed. */
export class MalformedAnswerError extends CapstanError {
  readonly code = "MALFORMED_ANSWER";
}

/** In which way a watch broke off. */
export type WatchProblem = "truncated" | "reset" | "garbage" | "too-large" | "stalled";

/** A server that has gone back to an older state, so that what was seen of it may never have been. */
export class WatchSetBackError extends CapstanError {
  readonly code = "WATCH_SET_BACK";
}

/** A watch that did not come to its proper end; it can be resumed from the last revision that was seen. */
export class WatchBrokenError extends CapstanError {
  readonly code = "WATCH_BROKEN";
  readonly problem: WatchProblem;

  constructor(problem: WatchProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.problem = problem;
  }
}

/** A kind that the server does not serve. */
export class NoKindMatchError extends CapstanError {
  readonly code = "NO_KIND_MATCH";
  readonly kind: GroupVersionKind;

  constructor(kind: GroupVersionKind) {
    super(`the server serves no ${describeKind(kind)}`);
    this.kind = kind;
  }
}

/** A resource that the server does not serve. */
export class NoResourceMatchError extends CapstanError {
  readonly code = "NO_RESOURCE_MATCH";
}

/** An object of one kind where one of another was asked for. */
export class UnexpectedKindError extends CapstanError {
  readonly code = "UNEXPECTED_KIND";
}

/** An apply by a client that has no field owner. */
export class MissingFieldOwnerError extends CapstanError {
  readonly code = "MISSING_FIELD_OWNER";
}

/** A rate limit that would let nothing pass. */
export class InvalidRateLimitError extends CapstanError {
  readonly code = "INVALID_RATE_LIMIT";
}

/** A call over a transport that has been closed. */
export class TransportClosedError extends CapstanError {
  readonly code = "TRANSPORT_CLOSED";

  constructor() {
    super("the transport has been closed");
  }
}
