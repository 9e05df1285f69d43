import { RE2JS, RE2JSException } from "re2js";
import { Failure, type Result } from "../values/value.ts";

// Compiling takes up to eight microseconds for each instruction, so this bounds it to a few dozen milliseconds.
const largestProgram = 8_000;
const cacheSize = 256;
const cache = new Map<string, RE2JS | Failure>();

/** Compiles an RE2 pattern, in a time bounded by its size; the failure reads as Go's does. */
export function compilePattern(pattern: string): RE2JS | Failure {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS | Failure {
  if (programSize(pattern) > largestProgram) return new Failure("error parsing regexp: expression too large");
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return new Failure(error.message);
    throw error;
  }
}

/** True where a pattern is found anywhere in a text. */
export function matches(text: string, pattern: string): Result {
  const compiled = compilePattern(pattern);
  return compiled instanceof Failure ? compiled : compiled.test(text);
}

const token = /\\.|\[(?:\\.|[^\]\\])*\]|\(|\)|\{(\d+)(?:,(\d*))?\}|./gsu;

/** About how many instructions a pattern compiles to: counted repetitions multiply what stands before them. */
function programSize(pattern: string): number {
  const sizes = [0];
  let last = 0;
  for (const [text, least, most] of pattern.matchAll(token)) {
    if (text === "(") {
      sizes.push(0);
      last = 0;
      continue;
    }
    if (text === ")") {
      last = (sizes.length > 1 ? sizes.pop() : 0) ?? 0;
      sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + last + 2;
      continue;
    }
    const count = least === undefined ? undefined : Math.max(Number(least), Number(most ?? least), 1);
    const added = count === undefined ? 1 : last * (count - 1);
    sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + added;
    last = count === undefined ? 1 : last * count;
  }
  return sizes.reduce((sum, size) => sum + size, 0);
}
