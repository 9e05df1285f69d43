import { type FunctionDeclaration, method } from "../check/declaration.ts";
import { listType, stringType } from "../check/type.ts";
import { PlainList } from "../values/list.ts";
import { Failure, type Result } from "../values/value.ts";
import { int, string } from "./kinds.ts";
import { compilePattern } from "./pattern.ts";

/** Finding what a pattern matches. */
export const regex: readonly FunctionDeclaration[] = [
  {
    name: "find",
    overloads: [method({ id: "string_find_string", parameters: [string, string], result: stringType, run: find })],
  },
  {
    name: "findAll",
    overloads: [
      method({
        id: "string_find_all_string",
        parameters: [string, string],
        result: listType(stringType),
        run: (text, pattern) => findAll(text, pattern, -1n),
      }),
      method({
        id: "string_find_all_string_int",
        parameters: [string, string, int],
        result: listType(stringType),
        run: findAll,
      }),
    ],
  },
];

function find(text: string, pattern: string): Result {
  const compiled = compilePattern(pattern);
  if (compiled instanceof Failure) return new Failure(`Illegal regex: ${compiled.message}`);
  const matcher = compiled.matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

/** An empty match right after another match does not count, as in Go. */
function findAll(text: string, pattern: string, count: bigint): Result {
  const compiled = compilePattern(pattern);
  if (compiled instanceof Failure) return new Failure(`Illegal regex: ${compiled.message}`);
  const found: string[] = [];
  const matcher = compiled.matcher(text);
  let end = -1;
  const most = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  while (found.length < most && matcher.find()) {
    const match = matcher.group() ?? "";
    if (match !== "" || matcher.start() !== end) found.push(match);
    end = matcher.end();
  }
  return new PlainList(found);
}
