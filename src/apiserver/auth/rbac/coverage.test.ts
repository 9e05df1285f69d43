import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Attributes, isAboutPath } from "./attributes.ts";
import { CompiledRules } from "./compiled-rules.ts";
import { describeRule, uncovered } from "./coverage.ts";
import { type PolicyRule, ruleFrom } from "./policy-rule.ts";

const pods = ruleFrom({ verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] });

describe("what one holds covers what one gives", () => {
  test.each<[string, object, object, readonly string[]]>([
    ["the same", {}, {}, []],
    ["less", { verbs: ["get"] }, {}, []],
    ["a name of all", { resourceNames: ["a"] }, {}, []],
    ["a part of any resource", { resources: ["pods/log"] }, { resources: ["*/log"] }, []],
    ["everything", { resources: ["x/y"], verbs: ["z"] }, { resources: ["*"], verbs: ["*"], apiGroups: ["*"] }, []],
    ["a verb more", { verbs: ["get", "delete"] }, {}, ['{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}']],
    ["all verbs are more than some", { verbs: ["*"] }, {}, ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}']],
    [
      "all names are more than one",
      {},
      { resourceNames: ["a"] },
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}'],
    ],
    [
      "parts are not of the whole",
      { resources: ["pods/log"], verbs: ["get"] },
      {},
      ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}'],
    ],
  ])("%s", (_, wanted, held, missing) => {
    const answer = uncovered([ruleFrom({ ...pods, ...wanted })], [ruleFrom({ ...pods, ...held })]);
    expect(answer.map(describeRule)).toEqual(missing);
  });

  test("verbs of several rules add up", () => {
    const held = [ruleFrom({ ...pods, verbs: ["get"] }), ruleFrom({ ...pods, verbs: ["list"] })];
    expect(uncovered([pods], held)).toEqual([]);
  });
});

const few = (...values: readonly string[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const someRule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({
    verbs: few("get", "list", "*"),
    apiGroups: few("", "apps", "*"),
    resources: few("pods", "pods/log", "*/log", "nodes", "*"),
    resourceNames: fc.oneof(fc.constant<string[]>([]), few("a", "b")),
    nonResourceURLs: fc.constant<string[]>([]),
  }),
  few("/x", "/x/*", "/x/y", "*").map((nonResourceURLs) => ruleFrom({ verbs: ["get"], nonResourceURLs })),
);

const everyQuestion: readonly Attributes[] = [
  ...["get", "list", "other"].flatMap((verb) =>
    ["", "apps", "other"].flatMap((group) =>
      ["pods", "nodes", "other"].flatMap((resource) =>
        ["", "log", "other"].flatMap((subresource) =>
          ["", "a", "b", "c"].map((name) => ({
            verb,
            group,
            version: "v1",
            resource,
            subresource,
            namespace: "",
            name,
          })),
        ),
      ),
    ),
  ),
  ...["/x", "/x/y", "/x/z", "/other"].map((path) => ({ verb: "get", path })),
];

test("who lacks nothing may do all that he gives away", () => {
  fc.assert(
    fc.property(fc.array(someRule, { maxLength: 2 }), fc.array(someRule, { maxLength: 4 }), (wanted, held) => {
      const [given, own] = [compiled(wanted), compiled(held)];
      const lacks = uncovered(wanted, held).length > 0;
      const gains = everyQuestion.some((question) => allows(given, question) && !allows(own, question));
      // Rules that cannot be used by anyone may be lacking and gain nothing, but never the other way round.
      expect(gains && !lacks).toBe(false);
    }),
    { numRuns: 500 },
  );
});

function compiled(rules: readonly PolicyRule[]): CompiledRules<true> {
  const all = new CompiledRules<true>();
  for (const rule of rules) all.add(rule, true);
  return all;
}

function allows(rules: CompiledRules<true>, question: Attributes): boolean {
  return (isAboutPath(question) ? rules.allowingPath(question) : rules.allowingResource(question)) === true;
}
