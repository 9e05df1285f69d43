import { describe, expect, test } from "vitest";
import {
  compileMatchCondition,
  type MatchConditionInput,
  type MatchConditionOutcome,
  matchConditionProblem,
  matchConditionsBudget,
} from "./match-condition.ts";

const ten = "[1,2,3,4,5,6,7,8,9,10]";

describe("a condition of a webhook", () => {
  // As kube-apiserver 1.35.8 answered.
  test.each([
    ["1", "must evaluate to bool but got int"],
    ["'x'", "must evaluate to bool but got string"],
    ["dyn(1)", "must evaluate to bool but got dyn"],
    ["object.data.a", "must evaluate to bool but got dyn"],
    [
      "foo.bar",
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo.bar\n | ^",
    ],
    [
      "object.data.(",
      "compilation failed: ERROR: <input>:1:13: Syntax error: no viable alternative at input '.('\n | object.data.(\n | ............^",
    ],
    [
      "request.nope == 'x'",
      "compilation failed: ERROR: <input>:1:8: undefined field 'nope'\n | request.nope == 'x'\n | .......^",
    ],
    [
      "request.object.data.a=='1'",
      "compilation failed: ERROR: <input>:1:8: undefined field 'object'\n | request.object.data.a=='1'\n | .......^",
    ],
    [
      "params == null",
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^",
    ],
    [
      "object.data.a.foo()",
      "compilation failed: ERROR: <input>:1:18: undeclared reference to 'foo' (in container '')\n | object.data.a.foo()\n | .................^",
    ],
  ])("%s is refused", (expression, problem) => {
    expect(matchConditionProblem(expression)).toBe(problem);
  });

  test.each<[string, boolean]>([
    ["true", true],
    ["false", false],
    ["object.data.a == '1'", true],
    ["oldObject == null", true],
    ["request.operation == 'CREATE' && request.userInfo.username == 'admin' && request.dryRun", true],
    ["request.options.kind == 'CreateOptions'", true],
    ["request.userInfo.groups.exists(g, g == 'system:masters')", true],
    ["request.userInfo.extra['some.io/id'].size() == 1", true],
    ["has(request.userInfo.uid)", false],
    ["has(request.subResource)", false],
    ["object.metadata.name.matches('^e$')", true],
    ["type(object.data) == map", true],
    ["!(request.kind.group in ['a', 'b'])", true],
    ["object.metadata.?labels.hasValue()", false],
    ["object.spec.count + 1 == 3 && object.spec.share < 1.0", true],
    ["object.spec.list.map(each, each.n) == [1, 2]", true],
    ["object.spec.list + [] == object.spec.list", true],
    ["object.data == {'a': '1'}", true],
  ])("%s is %s", (expression, holds) => {
    expect(matchConditionProblem(expression)).toBeUndefined();
    expect(evaluated(expression)).toMatchObject({ kind: "held", holds });
  });

  test.each([
    ["object.data.zz == '1'", "no such key: zz"],
    ["request.subResource == ''", "no such key: subResource"],
    ["'a' in object.metadata.labels", "no such key: labels"],
    ["dyn(object.data.a) > 5", "no such overload"],
    [
      "abcdef".split("").reduceRight((inner, name) => `${ten}.all(${name}, ${inner})`, "true"),
      "operation cancelled: actual cost limit exceeded",
    ],
  ])("%s fails", (expression, problem) => {
    expect(evaluated(expression)).toMatchObject({ kind: "failed", problem });
  });
});

const input: MatchConditionInput = {
  object: {
    metadata: { name: "e" },
    data: { a: "1" },
    spec: { count: 2, share: 0.5, list: [{ n: 1 }, { n: 2 }] },
  },
  oldObject: null,
  request: {
    kind: { group: "", version: "v1", kind: "ConfigMap" },
    operation: "CREATE",
    dryRun: true,
    userInfo: { username: "admin", groups: ["system:masters"], extra: { "some.io/id": ["x"] } },
    options: { kind: "CreateOptions" },
  },
};

function evaluated(expression: string): MatchConditionOutcome {
  const condition = compileMatchCondition(expression);
  if ("problem" in condition) throw new Error(condition.problem);
  return condition.evaluate(input, { costLimit: matchConditionsBudget });
}
