import { compileSchema, type CompiledSchema, type Field, type Fields, type Json, type MembersOf, s } from "#machinery";
import { apiVersionOf, describeFieldErrors, isJsonObject, type JsonObject } from "#machinery";
import { MalformedMessageError } from "../errors.ts";
import type { GroupVersionHook } from "./group-version-hook.ts";

/** What every answer says. */
export interface HookResponse {
  /** `Success` or `Failure`; empty where the extension did not say. */
  readonly status: string;
  /** For people; empty where there is nothing to say. */
  readonly message: string;
}

/** What an answer that can hold a cluster back says besides. */
export interface RetryResponse extends HookResponse {
  /** More than zero: not yet, ask again after so long. */
  readonly retryAfterSeconds: number;
}

/** What most requests can carry: settings of the ExtensionConfig and of whoever calls. */
export interface HookRequest {
  readonly settings?: { readonly [name: string]: string };
}

/** A point in the life of a cluster at which extensions are asked: its name and the types of question and answer. */
export interface Hook<
  Request extends HookRequest = HookRequest,
  Response extends HookResponse = HookResponse,
> extends GroupVersionHook {
  /** When it is called, and what an answer does. */
  readonly summary: string;
  readonly apiVersion: string;
  readonly requestKind: string;
  readonly responseKind: string;
  /** True where the answer can hold back what comes next with `retryAfterSeconds`. */
  readonly canHoldBack: boolean;
  /** True where asking changes nothing, so that a question can be asked just to see the answer. */
  readonly onlyAsks: boolean;
  readonly request: Field<Request>;
  readonly response: Field<Response>;
  /** Reads a question; throws a MalformedMessageError where something has the wrong type or is missing. */
  readRequest(body: Json): Request;
  /** Reads an answer; what it leaves out is empty, what it has too much is dropped. */
  readResponse(body: Json): Response;
}

/** The question that a hook asks. */
export type RequestOf<H> = H extends Hook<infer Request, infer _Response> ? Request : never;

/** The answer that a hook expects. */
export type ResponseOf<H> = H extends Hook<infer _Request, infer Response> ? Response : never;

interface HookDeclaration<Request extends Fields, Response extends Fields> extends GroupVersionHook {
  readonly summary: string;
  readonly request: Request;
  readonly response: Response;
  readonly canHoldBack: boolean;
  readonly onlyAsks: boolean;
}

/** Declares a hook: one declaration gives its types, its checks and its names. */
export function defineHook<const Request extends Fields, const Response extends Fields>(
  declaration: HookDeclaration<Request, Response>,
): Hook<MembersOf<Request>, MembersOf<Response> & HookResponse>;
export function defineHook({ request, response, ...names }: HookDeclaration<Fields, Fields>): Hook {
  const [requestShape, responseShape] = [s.object(request), s.object({ ...statusFields, ...response })];
  const [requestKind, responseKind] = [`${names.hook}Request`, `${names.hook}Response`];
  const readers = { request: lazily(() => requestShape), response: lazily(() => responseShape) };
  return {
    ...names,
    apiVersion: apiVersionOf(names),
    requestKind,
    responseKind,
    request: requestShape,
    response: responseShape,
    readRequest: (body) => readMessage(readers.request(), body, requestKind),
    // Every member of the shape has a default or is optional, so that what was read has the type of the shape.
    readResponse: (body) => ({ status: "", message: "", ...readMessage(readers.response(), body, responseKind) }),
  };
}

const statusFields = {
  status: s.string({ default: "" }).describe("Success or Failure."),
  message: s.string({ default: "" }).describe("For people."),
};

function lazily(shape: () => Field<unknown>): () => CompiledSchema {
  let compiled: CompiledSchema | undefined;
  return () => (compiled ??= compileSchema(shape().schema(), { root: "value" }));
}

function readMessage(schema: CompiledSchema, body: Json, kind: string): JsonObject {
  const message = body === null ? {} : body;
  if (!isJsonObject(message)) throw new MalformedMessageError(`cannot read ${typeName(body)} as ${kind}`);
  const known = schema.applyDefaults(schema.prune(message));
  const errors = schema.validate(known);
  if (errors.length > 0) throw new MalformedMessageError(`cannot read ${kind}: ${describeFieldErrors(errors)}`);
  return isJsonObject(known) ? known : {};
}

function typeName(value: Json): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
