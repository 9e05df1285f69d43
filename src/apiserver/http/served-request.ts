import type { Caller } from "#apiserver/admission";
import type { Status } from "#machinery";
import type { AnswerContext } from "./answer.ts";
import { Cancellation } from "./cancellation.ts";
import type { Exchange } from "./exchange.ts";
import type { RequestLabels } from "./metrics.ts";
import type { Attributes } from "#apiserver/auth";

/** A request on its way through the server. */
export interface ServedRequest extends AnswerContext {
  readonly exchange: Exchange;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly warnings: string[];
  /** Used when the client has gone, the time is over or the server stops. */
  readonly cancellation: Cancellation;
  caller: Caller | undefined;
  labels: RequestLabels;
  attributes: Attributes;
  /** The refusal, where it came to one. */
  status: Status | undefined;
}

const noLabels: RequestLabels = { verb: "", group: "", version: "", resource: "", subresource: "", scope: "" };
const noQuery = new URLSearchParams();

export function servedRequest(exchange: Exchange, auditId: string): ServedRequest {
  const { url } = exchange;
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  return {
    exchange,
    auditId,
    path,
    query: mark < 0 ? noQuery : new URLSearchParams(url.slice(mark + 1)),
    warnings: [],
    cancellation: new Cancellation(),
    caller: undefined,
    labels: noLabels,
    attributes: { verb: exchange.method.toLowerCase(), path },
    status: undefined,
  };
}
