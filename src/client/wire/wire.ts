import type { Readable } from "node:stream";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: WireHeaders;
  readonly body?: string;
  /** Ends the request, and later the reading of its answer. */
  readonly signal?: AbortSignal;
}

/** Headers by their lower-case names. */
export type WireHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** The beginning of an answer, and the rest as it comes. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body: Readable;
  /** True where the body, having ended, ended where its sender meant it to. */
  isWhole(): boolean;
}

/** Something that carries requests to one server. */
export interface Wire {
  send(request: WireRequest): Promise<WireAnswer>;
  /** Gives up whatever is under way. */
  close(): void;
}

/** One header as a text; several values become one list. */
export function headerText(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" || value === undefined ? value : value.join(", ");
}
