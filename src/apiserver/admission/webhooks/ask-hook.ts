import { type Logger, quote } from "#base";
import { badRequest, internalError } from "#machinery";
import { type Callout, CalloutError } from "#apiserver/callout";
import type { AdmissionContext } from "../admission.ts";
import { denial } from "./denial.ts";
import type { Hook } from "./hook.ts";
import { reviewText } from "./review.ts";
import { failedCall, readReviewAnswer, type ReviewAnswer } from "./review-answer.ts";
import type { Guise, Shown, VersionedRequest } from "./versions.ts";

/** What it takes to ask webhooks. */
export interface HookCaller {
  readonly callout: Callout;
  readonly uuid: () => string;
  readonly log: Logger;
}

/** One webhook that is to be asked about a request. */
export interface Asking {
  readonly hook: Hook;
  readonly guise: Guise;
  readonly versioned: VersionedRequest;
  readonly context: AdmissionContext;
  /** True for a webhook that may change the object. */
  readonly mayChange: boolean;
}

const userAgent = "kube-apiserver-admission";

/**
 * Asks a webhook, and lets `take` make something of its consent. Throws where the webhook refuses, or where it fails and
 * that counts as a refusal; gives nothing where it fails and may.
 */
export async function askHook<T>(
  caller: HookCaller,
  asking: Asking,
  take: (answer: ReviewAnswer, shown: Shown) => T,
): Promise<T | undefined> {
  const { hook, guise, versioned, context } = asking;
  const { request } = versioned;
  if (request.dryRun && !hook.isHarmless) {
    throw badRequest(`admission webhook ${quote(hook.name)} does not support dry run`);
  }
  const shown = await versioned.in(guise);
  try {
    const answer = await answerOf(caller, asking, shown);
    for (const warning of answer.warnings) context.warn(warning);
    if (!answer.allowed) throw denial(hook.name, answer.status);
    return take(answer, shown);
  } catch (error) {
    if (!(error instanceof CalloutError)) throw error;
    context.signal?.throwIfAborted();
    const why = `failed calling webhook ${quote(hook.name)}: ${error.message}`;
    if (hook.failurePolicy === "Fail") throw internalError(why);
    caller.log.warn("a webhook failed and is passed over", { webhook: hook.name, error: why });
    return undefined;
  }
}

async function answerOf({ callout, uuid }: HookCaller, asking: Asking, shown: Shown): Promise<ReviewAnswer> {
  const { hook, guise, versioned, context, mayChange } = asking;
  const [uid, version] = [uuid(), hook.reviewVersion];
  const body = reviewText(versioned.request, { uid, version, guise, shown });
  const target = hook.target();
  const { timeout } = hook;
  const { signal } = context;
  const review = await callout.ask(target, { body, timeout, userAgent, signal }).catch((error: unknown) => {
    throw error instanceof CalloutError ? failedCall(error.message) : error;
  });
  return readReviewAnswer(review, { uid, version, mayChange });
}
