import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { CapstanError } from "#base";
import { isJsonObject, type Json, type JsonObject } from "#machinery";

/** One recorded call: what went in and what came out. */
export interface VectorCase {
  readonly name: string;
  /** The operation; empty in files that know only one. */
  readonly op: string;
  readonly input: Json;
  readonly expected: Json;
  readonly tags: readonly string[];
  /** The case as it stands in the file, for members that only some files have. */
  readonly raw: JsonObject;
}

/** A file of recorded calls. */
export interface VectorFile {
  readonly name: string;
  /** The time at which every call of the file happens. */
  readonly now?: string;
  /** Recorded at two versions: lists of conditions are then exact in their order. */
  readonly ofTwoVersions: boolean;
  readonly cases: readonly VectorCase[];
}

/** A file of vectors that cannot be read as such. */
export class InvalidVectorFileError extends CapstanError {
  readonly code = "INVALID_VECTOR_FILE";
}

/** Reads a file of vectors and checks its outer form. */
export function readVectorFile(path: string): VectorFile {
  const name = basename(path);
  const content = parse(name, read(name, path));
  if (!isJsonObject(content)) throw new InvalidVectorFileError(`${name}: the file is not an object`);
  const { cases, now } = content;
  if (!Array.isArray(cases)) throw new InvalidVectorFileError(`${name}: cases is not a list`);
  return {
    name,
    ofTwoVersions: content["referenceVersions"] !== undefined,
    cases: cases.map((item, index) => readCase(item, `${name}: cases[${index}]`)),
    ...(typeof now === "string" ? { now } : {}),
  };
}

/** Writes out `$repeat:<char>:<n>`, wherever it stands for a long text. */
export function writtenOut(value: Json): Json {
  if (typeof value === "string") {
    const [, text, count] = /^\$repeat:(.+):(\d+)$/su.exec(value) ?? [];
    return text === undefined ? value : text.repeat(Number(count));
  }
  if (Array.isArray(value)) return value.map(writtenOut);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, writtenOut(member)]));
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InvalidVectorFileError(name, { cause: error });
  }
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidVectorFileError(`${name}: the file is no JSON`, { cause: error });
  }
}

function readCase(raw: unknown, where: string): VectorCase {
  if (!isJsonObject(raw)) throw new InvalidVectorFileError(`${where} is not an object`);
  const { name, op = "", input, expected, tags = [] } = raw;
  if (typeof name !== "string") throw new InvalidVectorFileError(`${where} has no name`);
  if (typeof op !== "string") throw new InvalidVectorFileError(`${where} (${name}): op is not a text`);
  if (input === undefined) throw new InvalidVectorFileError(`${where} (${name}) has no input`);
  if (expected === undefined) throw new InvalidVectorFileError(`${where} (${name}) has no expected`);
  if (!Array.isArray(tags)) throw new InvalidVectorFileError(`${where} (${name}): tags is not a list`);
  return { name, op, input: writtenOut(input), expected, tags: tags.map(String), raw };
}
