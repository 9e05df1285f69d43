import type { KubeObject } from "#machinery";
import type { Caller } from "#apiserver/admission";

/** A resource, or a part of one, that is answered and not kept: reviews, token requests. */
export interface AnsweredResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** `token` of a service account; empty for a resource of its own. */
  readonly subresource: string;
  readonly namespaced: boolean;
  /** The kind of what is sent and answered. */
  readonly kind: string;
  /** Answers what was posted; throws an ApiError to refuse it. */
  create(question: Question): Promise<KubeObject>;
}

export interface Question {
  readonly caller: Caller;
  /** Empty for what lives in no namespace, as is the name for a resource of its own. */
  readonly namespace: string;
  readonly name: string;
  readonly body: KubeObject;
  readonly dryRun: boolean;
}
