import type { Readable } from "node:stream";
import { ApiError, badRequest } from "#machinery";
import type { Exchange } from "./exchange.ts";

/** What a request may hold, as on the real server. */
export const largestBody = 3_145_728;

/** Reads the body of a request; stops as soon as it is larger than any may be. */
export async function readBody(exchange: Exchange, signal: AbortSignal): Promise<Buffer> {
  const length = Number(exchange.headers["content-length"] ?? 0);
  if (length > largestBody) throw tooLarge();
  return await collected(exchange.body, signal);
}

function collected(body: Readable, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void) => {
      body.off("data", take).off("end", whole).off("close", cut).off("error", cut);
      signal.removeEventListener("abort", late);
      settle();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBody) finish(() => reject(tooLarge()));
      else chunks.push(chunk);
    };
    const whole = () =>
      finish(() => resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)));
    const cut = () => finish(() => reject(badRequest("unexpected EOF")));
    const late = () => finish(() => reject(signal.reason instanceof Error ? signal.reason : cutShort()));
    if (signal.aborted) late();
    else {
      body.on("data", take).on("end", whole).on("close", cut).on("error", cut);
      signal.addEventListener("abort", late);
    }
  });
}

function cutShort(): Error {
  return badRequest("the request was cut short");
}

function tooLarge(): ApiError {
  const message = `Request entity too large: limit is ${largestBody}`;
  return new ApiError({ httpCode: 413, reason: "RequestEntityTooLarge", message });
}
