import { FieldPath, type JsonSchema } from "#machinery";
import { type RuleNode, ruleNodeOf } from "./rule-node.ts";

/** What a rule can cost at most each time it runs, or why it cannot run. */
export interface RuleEstimate {
  /** Where in the schema it stands, such as `spec.ports[*]`. */
  readonly place: string;
  readonly rule: string;
  readonly mostCost?: bigint;
  readonly problem?: string;
}

/** Every rule of a schema with the most that it can cost, for those who want to know before they write it. */
export function estimateRules(
  schema: JsonSchema,
  { isResource = true }: { readonly isResource?: boolean } = {},
): readonly RuleEstimate[] {
  const node = ruleNodeOf(schema, { isResource });
  return node === undefined ? [] : estimatesOf(node, FieldPath.root);
}

function estimatesOf(node: RuleNode, path: FieldPath): readonly RuleEstimate[] {
  const { items, values, properties, allOf } = node;
  return [
    ...ownEstimates(node, path.toString()),
    ...allOf.flatMap((part) => estimatesOf(part, path)),
    ...(values === undefined ? [] : estimatesOf(values, path.key("*"))),
    ...properties.flatMap(([name, property]) => estimatesOf(property, path.child(name))),
    ...(items === undefined ? [] : estimatesOf(items, path.key("*"))),
  ];
}

function ownEstimates(node: RuleNode, place: string): readonly RuleEstimate[] {
  const compiled = node.rules();
  if (compiled.kind === "refused") return [{ place, rule: "", problem: compiled.problem }];
  return compiled.rules.map(({ rule: { rule }, expression }) =>
    "problem" in expression
      ? { place, rule, problem: expression.problem }
      : { place, rule, mostCost: expression.mostCost },
  );
}
