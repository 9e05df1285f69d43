import { decodeJson, fieldAt, InvalidJsonError, isJsonObject } from "#machinery";
import type { Hook, HookResponse } from "../catalog/hook.ts";

/** What is wrong with an answer that has the right types; undefined where nothing is. */
export function answerProblem(hook: Hook, response: HookResponse): string | undefined {
  const { status } = response;
  if (status !== "Success" && status !== "Failure")
    return `the status is ${JSON.stringify(status)}, neither Success nor Failure`;
  if (status === "Failure") return undefined;
  const wait = fieldAt(response, "retryAfterSeconds");
  if (hook.canHoldBack && typeof wait === "number" && wait < 0) return `retryAfterSeconds is ${wait}`;
  const own = problems[hook.hook];
  return own?.(response);
}

/** What the answers to some hooks have to be besides. */
const problems: { readonly [hook: string]: (response: object) => string | undefined } = {
  DiscoverVariables: (response) => firstProblem(listAt(response, "variables"), variableProblem),
  // Nothing was asked about, so that there is nothing to change.
  GeneratePatches: (response) =>
    listAt(response, "items").length === 0
      ? undefined
      : "there are patches for templates that were not in the question",
  CanUpdateMachine: (response) => firstProblem(Object.entries(response), patchProblem),
  CanUpdateMachineSet: (response) => firstProblem(Object.entries(response), patchProblem),
};

function variableProblem(variable: unknown, index: number, all: readonly unknown[]): string | undefined {
  const name = fieldAt(variable, "name");
  if (typeof name !== "string" || name === "") return `variables[${index}] has no name`;
  if (all.findIndex((other) => fieldAt(other, "name") === name) !== index) return `variable ${name} is defined twice`;
  const schema = fieldAt(variable, "schema", "openAPIV3Schema");
  return isJsonObject(schema) ? undefined : `variable ${name} has no schema`;
}

function patchProblem([name, value]: readonly [string, unknown]): string | undefined {
  if (!name.endsWith("Patch")) return undefined;
  const type = fieldAt(value, "patchType");
  if (type !== "JSONPatch" && type !== "JSONMergePatch")
    return `${name}.patchType is neither JSONPatch nor JSONMergePatch`;
  try {
    decodeJson(Buffer.from(String(fieldAt(value, "patch")), "base64"));
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    return `${name}.patch is no JSON in base64`;
  }
}

function firstProblem<T>(
  list: readonly T[],
  problemOf: (item: T, index: number, all: readonly T[]) => string | undefined,
): string | undefined {
  for (const [index, item] of list.entries()) {
    const problem = problemOf(item, index, list);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function listAt(response: object, name: string): readonly unknown[] {
  const list = fieldAt(response, name);
  return Array.isArray(list) ? list : [];
}
