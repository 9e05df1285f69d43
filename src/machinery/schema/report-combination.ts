import { quote } from "#base";
import type { SchemaNode } from "./schema-node.ts";
import type { Report, Violation } from "./violation.ts";

const nothing: Report = { violations: [], passed: 0 };

/** Checks a value against the branches of a combination. */
type Look = (branch: SchemaNode) => Report;

/** Checks anyOf, oneOf, allOf and not, in this order. */
export function combinationReport(node: SchemaNode, at: string, look: Look): Report {
  const parts = [
    anyOfReport(node, at, look),
    oneOfReport(node, at, look),
    allOfReport(node, at, look),
    notReport(node, at, look),
  ];
  return {
    violations: parts.flatMap(({ violations }) => violations),
    passed: parts.reduce((sum, { passed }) => sum + passed, 1),
  };
}

function anyOfReport({ anyOf }: SchemaNode, at: string, look: Look): Report {
  if (anyOf.length === 0) return nothing;
  const failures: Report[] = [];
  for (const branch of anyOf) {
    const found = look(branch);
    if (found.violations.length === 0) return found;
    failures.push(found);
  }
  return withViolation(best(failures), combination(`${quote(at)} must validate at least one schema (anyOf)`));
}

function oneOfReport({ oneOf }: SchemaNode, at: string, look: Look): Report {
  if (oneOf.length === 0) return nothing;
  const found = oneOf.map(look);
  const valid = found.filter(({ violations }) => violations.length === 0);
  const [only] = valid;
  if (only !== undefined && valid.length === 1) return only;
  const must = `${quote(at)} must validate one and only one schema (oneOf).`;
  if (only === undefined) return withViolation(best(found), combination(`${must} Found none valid`));
  return withViolation(nothing, combination(`${must} Found ${valid.length} valid alternatives`));
}

function allOfReport({ allOf }: SchemaNode, at: string, look: Look): Report {
  if (allOf.length === 0) return nothing;
  const found = allOf.map(look);
  const valid = found.filter(({ violations }) => violations.length === 0).length;
  const none = valid === 0 ? ". None validated" : "";
  const failure = combination(`${quote(at)} must validate all the schemas (allOf)${none}`);
  return {
    violations: [...found.flatMap(({ violations }) => violations), ...(valid === allOf.length ? [] : [failure])],
    passed: found.reduce((sum, { passed }) => sum + passed, 0),
  };
}

function notReport({ not }: SchemaNode, at: string, look: Look): Report {
  if (not === undefined || look(not).violations.length > 0) return nothing;
  return withViolation(nothing, combination(`${quote(at)} must not validate the schema (not)`));
}

/** The branch that passed most checks; the first of equals. */
function best(failures: readonly Report[]): Report {
  return failures.reduce((a, b) => (b.passed > a.passed ? b : a), failures[0] ?? nothing);
}

function withViolation({ violations, passed }: Report, violation: Violation): Report {
  return { violations: [violation, ...violations], passed };
}

function combination(text: string): Violation {
  return { kind: "combination", at: "", text };
}
