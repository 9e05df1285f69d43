import { quote } from "#base";
import {
  applyJsonPatch,
  asJson,
  decodeJson,
  fieldAt,
  internalError,
  InvalidJsonError,
  isJsonList,
  isJsonObject,
  type Json,
  JsonPatchError,
  JsonTooDeepError,
  type KubeObject,
  parseJsonPointer,
} from "#machinery";
import { CalloutError } from "#apiserver/callout";
import type { ReviewAnswer } from "./review-answer.ts";

/** The operations of a patch; throws a CalloutError where it is none that can be understood. */
export function operationsIn({ text, type }: NonNullable<ReviewAnswer["patch"]>): readonly Json[] {
  const operations = readOperations(text);
  if (operations.length > 0 && type !== "JSONPatch") throw new CalloutError(`unsupported patch type ${quote(type)}`);
  return operations;
}

function readOperations(text: string): readonly Json[] {
  try {
    const { value } = decodeJson(text);
    if (value === null) return [];
    if (isJsonList(value)) return value;
    const what = isJsonObject(value) ? "object" : typeof value;
    throw undecodable(`json: cannot unmarshal ${what} into Go value of type jsonpatch.Patch`);
  } catch (error) {
    if (error instanceof InvalidJsonError || error instanceof JsonTooDeepError) throw undecodable(error.message);
    throw error;
  }
}

/** A document after the operations of a webhook; what does not apply is a failure of this server, as the real one sees it. */
export function patched(object: KubeObject, operations: readonly Json[]): Json {
  const document = asJson(object);
  try {
    return applyJsonPatch(document, operations, { dialect: "kubernetes" });
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw internalError(whyNot(document, operations) ?? error.message);
  }
}

/** Which operation fails, in the words of the real server. */
function whyNot(document: Json, operations: readonly Json[]): string | undefined {
  let before = document;
  for (const operation of operations) {
    try {
      before = applyJsonPatch(before, [operation], { dialect: "kubernetes" });
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      return operationProblem(before, operation);
    }
  }
  return undefined;
}

function operationProblem(document: Json, operation: Json): string {
  const [op, path] = [fieldAt(operation, "op"), fieldAt(operation, "path")];
  if (typeof op !== "string" || !known.has(op)) return `Unexpected kind: ${typeof op === "string" ? op : "unknown"}`;
  if (typeof path !== "string") return `${op} operation failed to decode path: missing value`;
  if (op === "test") return `testing value ${path} failed: test failed`;
  if (op === "remove" && hasParent(document, path)) {
    const key = path.slice(path.lastIndexOf("/") + 1);
    return `error in remove for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`;
  }
  return `${op} operation does not apply: doc is missing path: ${quote(path)}: missing value`;
}

const known: ReadonlySet<string> = new Set(["add", "remove", "replace", "move", "copy", "test"]);

function hasParent(document: Json, path: string): boolean {
  if (!path.startsWith("/")) return false;
  return isJsonObject(fieldAt(document, ...parseJsonPointer(path).slice(0, -1)));
}

function undecodable(why: string): CalloutError {
  return new CalloutError(`received undecodable patch in webhook response: ${why}`);
}
