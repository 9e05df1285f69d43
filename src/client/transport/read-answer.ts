import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { decodeJson, InvalidJsonError, type Json, JsonTooDeepError } from "#machinery";
import { ConnectionError, MalformedAnswerError } from "../errors.ts";
import { headerText, type WireAnswer } from "../wire/wire.ts";

const unzip = promisify(gunzip);

/** How many bytes of all answers of a transport lie in memory at the moment. */
export interface ByteCount {
  bytes: number;
  readonly most: number;
}

/** How much is read, and what the answer is to. */
export interface ReadOptions {
  readonly most: number;
  /** What is read counts here until it has been read to the end. */
  readonly together?: ByteCount;
  /** What was asked, such as `GET /version`, for messages. */
  readonly question: string;
}

/** The whole body of an answer, decompressed. */
export async function readBody(answer: WireAnswer, options: ReadOptions): Promise<Buffer> {
  const encoding = headerText(answer.headers, "content-encoding") ?? "identity";
  const bytes = await gather(answer, options);
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip")
    throw new MalformedAnswerError(`${options.question}: the answer has the unknown encoding ${encoding}`);
  try {
    return await unzip(bytes, { maxOutputLength: options.most });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(options);
    throw new MalformedAnswerError(`${options.question}: the answer cannot be decompressed`, { cause: error });
  }
}

/** A body as JSON. */
export function parseAnswer(body: Buffer, { question }: ReadOptions): Json {
  try {
    return decodeJson(body).value;
  } catch (error) {
    if (!(error instanceof InvalidJsonError) && !(error instanceof JsonTooDeepError)) throw error;
    const start = JSON.stringify(body.toString("utf8", 0, 100));
    throw new MalformedAnswerError(`${question}: the answer is not JSON: ${start}`, { cause: error });
  }
}

function gather(answer: WireAnswer, options: ReadOptions): Promise<Buffer> {
  const { body } = answer;
  return new Promise((resolve, reject) => {
    // It may have broken while nobody was reading yet, and nothing would be heard of it any more.
    if (body.destroyed) {
      reject(brokenOff(options, body.errored ?? undefined));
      return;
    }
    const { most, together = { bytes: 0, most: Infinity } } = options;
    const chunks: Buffer[] = [];
    let size = 0;
    body.on("data", (chunk: Buffer) => {
      size += chunk.length;
      together.bytes += chunk.length;
      chunks.push(chunk);
      if (size > most) body.destroy(tooLarge(options));
      else if (together.bytes > together.most) body.destroy(tooMuchAtOnce(options, together));
    });
    body.once("error", (error) => reject(error instanceof MalformedAnswerError ? error : brokenOff(options, error)));
    body.once("close", () => {
      together.bytes -= size;
      if (!answer.isWhole()) reject(brokenOff(options));
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    });
  });
}

function tooLarge({ question, most }: ReadOptions): MalformedAnswerError {
  return new MalformedAnswerError(`${question}: the answer is larger than ${most} bytes`);
}

function tooMuchAtOnce({ question }: ReadOptions, { most }: ByteCount): MalformedAnswerError {
  return new MalformedAnswerError(`${question}: the answers under way are larger than ${most} bytes together`);
}

function brokenOff({ question }: ReadOptions, cause?: unknown): ConnectionError {
  const because = cause === undefined ? {} : { cause };
  return new ConnectionError(`${question}: the connection broke within the answer`, {
    mayHaveArrived: true,
    ...because,
  });
}
