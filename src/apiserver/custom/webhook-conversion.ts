import { seconds } from "#base";
import { ApiError, type DefinitionConversion, describeKind, type Json, kindOf, type KubeObject } from "#machinery";
import { type Callout, CalloutError, type HookTarget, targetOf } from "#apiserver/callout";
import type { Conversion } from "#apiserver/resources";
import { adopted, convertedIn, type Misfit, type ReviewVersion, reviewText } from "./conversion-review.ts";

/** What it takes to have objects converted. */
export interface ConversionParts {
  readonly callout: Callout;
  readonly uuid: () => string;
}

const timeout = seconds(30);
const userAgent = "kube-apiserver";
// Enough to be worth a call, few enough that no question grows without bounds.
const mostAtOnce = 500;

/** How a definition wants its objects converted: by renaming their version alone, or by a webhook. */
export function conversionOf({ strategy, webhook }: DefinitionConversion, parts: ConversionParts): Conversion {
  if (strategy !== "Webhook") return { kind: "none" };
  const { clientConfig = {}, conversionReviewVersions = [] } = webhook ?? {};
  const version = conversionReviewVersions.find((each) => each === "v1" || each === "v1beta1") ?? "v1";
  let known: HookTarget | undefined;
  const target = () => (known ??= targetOf(clientConfig));
  return {
    kind: "by-call",
    async convert(objects, apiVersion, { signal }) {
      const foreign = objects.filter((object) => object.apiVersion !== apiVersion);
      const converted = new Map<KubeObject, KubeObject>();
      for (let from = 0; from < foreign.length; from += mostAtOnce) {
        const batch = foreign.slice(from, from + mostAtOnce);
        const answers = await converse(parts, { target, version, batch, apiVersion, signal });
        for (const [index, object] of batch.entries()) converted.set(object, answers[index] ?? object);
      }
      return objects.map((object) => converted.get(object) ?? object);
    },
  };
}

interface Conversation {
  readonly target: () => HookTarget;
  readonly version: ReviewVersion;
  /** All of them are to be converted. */
  readonly batch: readonly KubeObject[];
  readonly apiVersion: string;
  readonly signal: AbortSignal | undefined;
}

/** One question to the webhook, and its answer: as many objects, in the same order. */
async function converse(parts: ConversionParts, conversation: Conversation): Promise<readonly KubeObject[]> {
  const { batch, apiVersion } = conversation;
  const about = `conversion webhook for ${nameOf(batch)}`;
  let objects: readonly Json[];
  try {
    objects = await answerOf(parts, conversation);
  } catch (error) {
    throw error instanceof CalloutError ? failure(`${about} failed: ${error.message}`) : error;
  }
  if (objects.length !== batch.length) {
    throw failure(`${about} returned ${objects.length} objects, expected ${batch.length}`);
  }
  return batch.map((original, index) => {
    const adoption = adopted(original, objects[index] ?? null, apiVersion);
    if (adoption.kind === "adopted") return adoption.object;
    throw failure(`${about} returned ${placeOf(adoption.misfit, index, batch.length)}: ${adoption.why}`);
  });
}

async function answerOf(
  { callout, uuid }: ConversionParts,
  { target, version, batch, apiVersion, signal }: Conversation,
): Promise<readonly Json[]> {
  const review = { uid: uuid(), version };
  const body = reviewText(review, batch, apiVersion);
  return convertedIn(await callout.ask(target(), { body, timeout, userAgent, signal }), review);
}

/** What was to be converted, as it is called in messages: several objects are a list. */
function nameOf(batch: readonly KubeObject[]): string {
  const [first] = batch;
  if (first === undefined) return "nothing";
  const kind = kindOf(first);
  return describeKind(batch.length === 1 ? kind : { ...kind, kind: `${kind.kind}List` });
}

/** Where in an answer something is wrong; of a single object the real server does not always say that it is the first. */
function placeOf(what: Misfit, index: number, count: number): string {
  if (count > 1) {
    return what === "metadata"
      ? `invalid metadata in object at index ${index}`
      : `invalid converted object at index ${index}`;
  }
  if (what === "metadata") return "invalid metadata";
  return what === "version" ? "invalid object at index 0" : "invalid object";
}

function failure(message: string): ApiError {
  return new ApiError({ httpCode: 500, reason: "", message });
}
