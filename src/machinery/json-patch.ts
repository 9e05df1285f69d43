import { CapstanError } from "#base";
import { deepEqual } from "./equal.ts";
import { encodeJson } from "./json-encode.ts";
import { JsonDraft, JsonPlaceError } from "./json-draft.ts";
import { checkDepth, isJsonList, isJsonObject, type Json, type JsonObject, JsonTooDeepError, member } from "./json.ts";
import { InvalidJsonPointerError, parseJsonPointer } from "./json-pointer.ts";

/** Why a JSON patch was refused: it is none, it is too long, or one of its operations failed. */
export type JsonPatchProblem = "malformed" | "too-many-operations" | "failed";

/** A JSON patch that cannot be applied; the document stays as it was. */
export class JsonPatchError extends CapstanError {
  readonly code = "JSON_PATCH";
  readonly problem: JsonPatchProblem;

  constructor(problem: JsonPatchProblem, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.problem = problem;
  }
}

/** What a JSON patch may do. */
export interface JsonPatchOptions {
  /**
   * `rfc6902`, or what kube-apiserver takes beyond it: indexes from the end or with leading zeros, `replace` and `copy`
   * of what is absent, an absent `value`, and `test` for null where nothing is.
   */
  readonly dialect?: "rfc6902" | "kubernetes";
  /** How many bytes of JSON all `copy` operations together may add. */
  readonly mostCopiedBytes?: number;
}

const mostOperations = 10_000;
const threeMebibytes = 3 * 1024 * 1024;

/** Applies a JSON patch (RFC 6902) and returns the result, which shares with the document what did not change. */
export function applyJsonPatch(document: Json, operations: Json, options: JsonPatchOptions = {}): Json {
  if (!isJsonList(operations)) throw new JsonPatchError("malformed", "a JSON patch must be a list of operations");
  if (operations.length > mostOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`;
    throw new JsonPatchError("too-many-operations", message);
  }
  const patching = new Patching(document, options);
  for (const [index, operation] of operations.entries()) {
    if (!isJsonObject(operation))
      throw new JsonPatchError("malformed", `operation ${index} of the JSON patch must be an object`);
    applyOne(patching, operation, index);
  }
  return patching.finish();
}

function applyOne(patching: Patching, operation: JsonObject, index: number): void {
  try {
    patching.apply(operation);
  } catch (error) {
    const isExpected = [JsonPlaceError, InvalidJsonPointerError, JsonTooDeepError, OperationError].some(
      (type) => error instanceof type,
    );
    if (!isExpected) throw error;
    const [op, path] = [member(operation, "op"), member(operation, "path")].map((value) => encodeJson(value ?? null));
    throw new JsonPatchError("failed", `operation ${index} of the JSON patch (${op} ${path}) failed`, { cause: error });
  }
}

/** What is wrong with one operation. */
class OperationError extends CapstanError {
  readonly code = "JSON_PATCH_OPERATION";
}

class Patching {
  readonly #draft: JsonDraft;
  readonly #isForgiving: boolean;
  #bytesLeft: number;
  #hasMoved = false;

  constructor(document: Json, { dialect = "rfc6902", mostCopiedBytes = threeMebibytes }: JsonPatchOptions) {
    this.#isForgiving = dialect === "kubernetes";
    this.#draft = new JsonDraft(document, { indexes: this.#isForgiving ? "forgiving" : "strict" });
    this.#bytesLeft = mostCopiedBytes;
  }

  /** The patched document. What was moved is looked at only here: once, and not with every move. */
  finish(): Json {
    if (!this.#hasMoved) return this.#draft.document;
    try {
      checkDepth(this.#draft.document);
    } catch (error) {
      if (!(error instanceof JsonTooDeepError)) throw error;
      throw new JsonPatchError("failed", "the result of the JSON patch is nested too deeply", { cause: error });
    }
    return this.#draft.document;
  }

  apply(operation: JsonObject): void {
    const op: unknown = member(operation, "op");
    const path = pointerIn(operation, "path");
    switch (op) {
      case "add":
        return this.#draft.add(path, this.#valueIn(operation));
      case "remove":
        this.#draft.remove(path);
        return;
      case "replace":
        return this.#replace(path, this.#valueIn(operation));
      case "move":
        return this.#move(pointerIn(operation, "from"), path);
      case "copy":
        return this.#copy(pointerIn(operation, "from"), path);
      case "test":
        return this.#test(path, this.#valueIn(operation));
      default:
        throw new OperationError("op must be one of add, remove, replace, move, copy, test");
    }
  }

  #replace(path: readonly string[], value: Json): void {
    const isNew = this.#isForgiving && path.length > 0 && this.#draft.get(path) === undefined;
    if (isNew && isJsonObject(this.#draft.get(path.slice(0, -1)))) this.#draft.add(path, value);
    else this.#draft.replace(path, value);
  }

  #move(from: readonly string[], path: readonly string[]): void {
    const isInside = path.length > from.length && from.every((token, index) => token === path[index]);
    if (isInside) throw new OperationError("a value cannot be moved into itself");
    if (from.length === path.length && from.every((token, index) => token === path[index])) {
      if (this.#draft.get(from) === undefined) throw new OperationError("there is nothing to move");
      return;
    }
    this.#draft.move(from, path);
    this.#hasMoved = true;
  }

  #copy(from: readonly string[], path: readonly string[]): void {
    const value = this.#orNull(this.#draft.get(from), "there is nothing to copy");
    this.#bytesLeft = bytesLeft(value, this.#bytesLeft);
    if (this.#bytesLeft < 0) throw new OperationError("the copies of this JSON patch are too large");
    this.#draft.share();
    this.#draft.add(path, value);
  }

  #test(path: readonly string[], expected: Json): void {
    const actual = this.#orNull(this.#draft.get(path), "there is nothing to test");
    if (!deepEqual(actual, expected)) throw new OperationError("the value is not the expected one");
  }

  #orNull(value: Json | undefined, problem: string): Json {
    if (value !== undefined) return value;
    if (!this.#isForgiving) throw new OperationError(problem);
    return null;
  }

  #valueIn(operation: JsonObject): Json {
    return this.#orNull(member(operation, "value"), "value is missing");
  }
}

function pointerIn(operation: JsonObject, name: "path" | "from"): readonly string[] {
  const text = member(operation, name);
  if (typeof text !== "string") throw new OperationError(`${name} must be a JSON pointer`);
  return parseJsonPointer(text);
}

/** What is left of a budget once a value is written out; looks no further than the budget reaches. */
function bytesLeft(value: Json, budget: number): number {
  const pending: Json[] = [value];
  let left = budget;
  while (pending.length > 0 && left >= 0) {
    const next = pending.pop() ?? null;
    if (typeof next === "string") left -= next.length + 2;
    else if (typeof next !== "object" || next === null) left -= String(next).length;
    else {
      left -= 2;
      for (const key of isJsonList(next) ? [] : Object.keys(next)) left -= key.length + 4;
      for (const inside of Object.values<Json>(next)) pending.push(inside);
    }
  }
  return left;
}
