import { ApiError, badRequest, isJsonObject, type KubeObject } from "#machinery";
import type { Caller } from "#apiserver/admission";
import { isBuiltinGroup } from "#apiserver/discovery";
import { methodNotAllowed } from "#apiserver/registry";
import { answerJson, headersOf } from "./answer.ts";
import { answerParts } from "./answer-parts.ts";
import { admittedQuestion } from "./admit-question.ts";
import type { AnsweredResource } from "#apiserver/auth";
import { decodeBody } from "./decode-body.ts";
import { encodeObject, encodeWritten, jsonText } from "./encoded.ts";
import type { Face } from "./face.ts";
import { isPrettyAgent } from "./answer-error.ts";
import { operationOn } from "./operation.ts";
import { booleanIn, readWriteQuery } from "./query-options.ts";
import { readBody } from "./read-body.ts";
import { chooseRepresentation, notAcceptable, type Representation } from "./representation.ts";
import type { ResourcePath } from "./request-path.ts";
import { type Outcome, perform } from "./resource-request.ts";
import type { ServedRequest } from "./served-request.ts";
import { checkView, type IncludedObject, isCustom, listView, type View, viewOf } from "./views.ts";
import { errorFrame, sendEvents, streamType } from "./watch-answer.ts";

/** Serves a request to a resource; gives the code of the answer. */
export async function serveResource(
  face: Face,
  request: ServedRequest,
  caller: Caller,
  { path, verb }: { readonly path: ResourcePath; readonly verb: string },
): Promise<number> {
  const special = answeredBy(face, path);
  if (special !== undefined) return await answerQuestion(face, request, caller, { path, answered: special });
  const { exchange, query } = request;
  const { target, operation } = operationOn(face.engine.resources, path, verb, isBuiltinGroup);
  const watching = operation.verb === "watch";
  const view: View = {
    representation: representationFor(request, { watching, custom: isCustom({ definition: target.definition }) }),
    target,
    include: includedIn(query),
    now: () => face.engine.clock.instant(),
  };
  const { cancellation } = request;
  const body = () => readBody(exchange, cancellation.signal);
  try {
    const outcome = await perform({
      engine: face.engine,
      caller,
      target,
      operation,
      query,
      userAgent: exchange.headers["user-agent"],
      contentType: exchange.headers["content-type"],
      body,
      signal: () => cancellation.signal,
      onWarning: (text) => request.warnings.push(text),
    });
    return await answerOutcome(face, request, view, outcome);
  } catch (error) {
    // A revision that is too old ends a watch that has begun; everything else is refused before it begins.
    if (!watching || !(error instanceof ApiError) || error.reason !== "Expired") throw error;
    const output = exchange.open(200, { ...headersOf(request), "content-type": streamType(view.representation) });
    output.end(errorFrame(error, view.representation));
    return 200;
  }
}

async function answerOutcome(face: Face, request: ServedRequest, view: View, outcome: Outcome): Promise<number> {
  const { representation } = view;
  switch (outcome.kind) {
    case "object":
      if (outcome.object.kind !== "Status") checkView(view, "one");
      await answerJson(
        request,
        outcome.code,
        viewOf(view, outcome.object, outcome.written ? encodeWritten : encodeObject),
        representation,
      );
      return outcome.code;
    case "list":
      checkView(view, "list");
      await answerParts(request, {
        parts: listView(view, outcome.list),
        representation,
        deadlines: face.deadlines,
        signal: () => request.cancellation.signal,
      });
      return 200;
    case "watch": {
      const { exchange, cancellation, labels } = request;
      const headers = { ...headersOf(request), "content-type": streamType(representation) };
      const done = face.metrics.watching(labels);
      const stop = () => cancellation.cancel();
      face.stopping.addEventListener("abort", stop, { once: true });
      try {
        const output = exchange.open(200, headers);
        await sendEvents({
          watching: outcome.watching,
          output,
          view,
          deadlines: face.deadlines,
          signal: cancellation.signal,
        });
      } finally {
        done();
        face.stopping.removeEventListener("abort", stop);
      }
      return 200;
    }
  }
}

function representationFor(
  { exchange, query }: ServedRequest,
  options: { readonly watching: boolean; readonly custom: boolean },
): Representation {
  const { accept, "user-agent": agent = "" } = exchange.headers;
  const representation = chooseRepresentation({ accept, ...options });
  const asked = booleanIn(query, "pretty");
  const pretty = asked ?? (representation.pretty || isPrettyAgent(agent));
  return pretty === representation.pretty ? representation : { ...representation, pretty };
}

function includedIn(query: URLSearchParams): IncludedObject {
  const include = query.get("includeObject") ?? "";
  if (include === "") return "Metadata";
  if (include === "None" || include === "Metadata" || include === "Object") return include;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** Who answers for what is not kept; most paths have nobody. */
export function answeredBy({ answered }: Face, path: ResourcePath): AnsweredResource | undefined {
  return answered.find(
    (each) =>
      each.group === path.group &&
      each.version === path.version &&
      each.resource === path.resource &&
      each.subresource === path.subresource &&
      (path.name !== undefined) === (each.subresource !== ""),
  );
}

async function answerQuestion(
  { engine }: Face,
  request: ServedRequest,
  caller: Caller,
  { path, answered }: { readonly path: ResourcePath; readonly answered: AnsweredResource },
): Promise<number> {
  const { exchange, query, cancellation } = request;
  if (exchange.method !== "POST") throw methodNotAllowed();
  const representation = representationFor(request, { watching: false, custom: false });
  if (representation.view !== "object") throw notAcceptable("an answer of this kind has neither rows nor metadata");
  const options = readWriteQuery(query, "CreateOptions");
  const bytes = await readBody(exchange, cancellation.signal);
  const { value } = decodeBody(bytes, exchange.headers["content-type"], answered.kind);
  const body = asQuestion(value, answered);
  const { namespace = "", name = "" } = path;
  const question = { caller, namespace, name, body, dryRun: options.dryRun };
  const warn = (text: string) => request.warnings.push(text);
  const admitted = await admittedQuestion(engine, answered, question, { options, warn, signal: cancellation.signal });
  const answer = await answered.create({ ...question, body: admitted });
  await answerJson(request, 201, Buffer.from(jsonText(answer)), representation);
  return 201;
}

function asQuestion(value: unknown, { kind }: AnsweredResource): KubeObject {
  if (!isJsonObject(value)) throw badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  const metadata = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever answers checks kind and apiVersion; metadata has just been seen to
  return { ...value, metadata } as unknown as KubeObject;
}
