import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { decodeJson, isJsonObject, type Json, printYaml } from "#machinery";
import { encodeProtobuf, protobufMediaType } from "#apiserver/protobuf";
import type { AnswerHeaders, Exchange } from "./exchange.ts";
import { type Format, notAcceptable, type Representation } from "./representation.ts";

const compress = promisify(gzip);

/** Below this, compressing costs more than it saves on any network that matters here. */
export const smallestCompressed = 128 * 1024;
const longestWarning = 4096;

/** What every answer to a request has in common. */
export interface AnswerContext {
  readonly exchange: Exchange;
  readonly auditId: string;
  /** Texts that go along as Warning headers; filled while the request is served. */
  readonly warnings: readonly string[];
}

/** Answers with JSON text, in the form that the client asked for. */
export async function answerJson(
  context: AnswerContext,
  status: number,
  json: Buffer,
  { format, pretty }: Pick<Representation, "format" | "pretty">,
  headers: AnswerHeaders = {},
): Promise<void> {
  const body = written(json, format, pretty);
  const all = { ...headersOf(context), "content-type": mediaTypes[format], ...headers };
  if (body.length < smallestCompressed || !takesGzip(context)) {
    context.exchange.answer(status, all, body);
    return;
  }
  const compressed = await compress(body, { level: 1 });
  context.exchange.answer(status, { ...all, "content-encoding": "gzip", vary: "Accept-Encoding" }, compressed);
}

const mediaTypes: Readonly<Record<Format, string>> = {
  json: "application/json",
  yaml: "application/yaml",
  protobuf: protobufMediaType,
};

function written(json: Buffer, format: Format, pretty: boolean): Buffer {
  switch (format) {
    case "json":
      return pretty ? indented(json) : json;
    case "yaml":
      return Buffer.from(printYaml(valueOf(json)));
    case "protobuf": {
      const value = valueOf(json);
      const bytes = isJsonObject(value) ? encodeProtobuf(value) : undefined;
      if (bytes === undefined) throw notAcceptable("the answer has no form in protobuf");
      return bytes;
    }
  }
}

/** Answers with a plain text. */
export function answerText(context: AnswerContext, status: number, text: string): void {
  const headers = {
    ...headersOf(context),
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  };
  context.exchange.answer(status, headers, Buffer.from(text));
}

/** The headers that every answer carries. */
export function headersOf({ auditId, warnings }: AnswerContext): AnswerHeaders {
  const headers = { "audit-id": auditId, "cache-control": "no-cache, private" };
  return warnings.length === 0 ? headers : { ...headers, warning: [...new Set(warnings)].map(warningHeader) };
}

/** `299 - "text"`, with what a header cannot hold taken out. */
function warningHeader(text: string): string {
  const clean = text
    .replaceAll(/[\r\n\t]+/g, " ")
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .slice(0, longestWarning);
  return `299 - "${clean.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Whether the client takes an answer that is compressed. */
export function takesGzip({ exchange }: AnswerContext): boolean {
  const accepted = exchange.headers["accept-encoding"];
  return typeof accepted === "string" && /(^|[\s,])gzip(?!;q=0(\.0*)?(,|$))/.test(accepted);
}

function indented(json: Buffer): Buffer {
  const value: unknown = JSON.parse(json.toString());
  // An integer that a number cannot hold would be shown as another one.
  if (/\d{16}/.test(json.toString())) return json;
  return Buffer.from(JSON.stringify(value, undefined, 2));
}

function valueOf(json: Buffer): Json {
  return decodeJson(json).value;
}
