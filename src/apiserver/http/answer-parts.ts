import { answerJson, type AnswerContext, headersOf, smallestCompressed, takesGzip } from "./answer.ts";
import type { Deadlines } from "./deadlines.ts";
import { drained, isFull } from "./drained.ts";
import { gzipParts } from "./gzip-parts.ts";
import type { Representation } from "./representation.ts";

// Large enough to be worth a write, small enough to let others have their turn.
const bytesPerWrite = 96 * 1024;

export interface PartsAnswer {
  /** JSON text in pieces; each is made when it is its turn. */
  readonly parts: Iterable<Buffer>;
  readonly representation: Pick<Representation, "format" | "pretty">;
  readonly deadlines: Deadlines;
  /** The time is over, or the client has gone. */
  readonly signal: () => AbortSignal;
}

/**
 * Answers with a text that may be long, such as a list: piece by piece and only as fast as the client takes it, so that
 * neither the memory nor the time of others goes to one answer.
 */
export async function answerParts(context: AnswerContext, answer: PartsAnswer): Promise<void> {
  const { parts, representation } = answer;
  const iterator = parts[Symbol.iterator]();
  const first: Buffer[] = [];
  let size = 0;
  const whole = representation.format !== "json" || representation.pretty;
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    first.push(next.value);
    size += next.value.length;
    if (!whole && size >= smallestCompressed) {
      await stream(context, { ...answer, parts: chained(first, iterator) });
      return;
    }
  }
  await answerJson(context, 200, Buffer.concat(first, size), representation);
}

async function stream(context: AnswerContext, { parts, deadlines, signal: signalOf }: PartsAnswer): Promise<void> {
  const signal = signalOf();
  const gzip = takesGzip(context);
  const encoding = gzip ? { "content-encoding": "gzip", vary: "Accept-Encoding" } : {};
  const { exchange } = context;
  const output = exchange.open(200, { ...headersOf(context), "content-type": "application/json", ...encoding });
  try {
    for (const group of inGroups(gzip ? gzipParts(parts) : parts)) {
      // Written together, but not put together: that would only be one more copy.
      output.cork();
      for (const part of group) output.write(part);
      output.uncork();
      if (isFull(output)) await drained(output, deadlines, signal);
      signal.throwIfAborted();
    }
    output.end();
  } catch (error) {
    // The answer has begun: that it does not end is the only way to say that it is not whole.
    exchange.abort();
    throw error;
  }
}

function* chained(first: readonly Buffer[], rest: Iterator<Buffer>): Generator<Buffer> {
  yield* first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

/** As many pieces as are worth a write. */
function* inGroups(parts: Iterable<Buffer>): Generator<readonly Buffer[]> {
  let [gathered, size]: [Buffer[], number] = [[], 0];
  for (const part of parts) {
    gathered.push(part);
    size += part.length;
    if (size < bytesPerWrite) continue;
    yield gathered;
    [gathered, size] = [[], 0];
  }
  yield gathered;
}
