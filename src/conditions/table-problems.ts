import { describeError } from "#base";
import type { ConditionTable, Row } from "./table.ts";

/** What is wrong with the declaration of a table; empty for a good one. */
export function tableProblems<F, R extends string, Id extends string>(
  table: ConditionTable<F, R, Id>,
): readonly string[] {
  const ids = table.rows.map(({ id }) => id);
  const used = new Set<string>();
  const problems = [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `row ${id} is declared twice`),
    ...table.rows.flatMap((row) => rowProblems(row, used)),
  ];
  const declared: ReadonlySet<string> = new Set(table.reasons);
  const idle = [...declared].filter((reason) => !used.has(reason));
  const undeclared = [...used].filter((reason) => !declared.has(reason));
  return [
    ...problems,
    ...idle.map((reason) => `reason ${reason} is not used`),
    ...undeclared.map((reason) => `reason ${reason} is not declared`),
  ];
}

/** Collects the reasons that it meets in `used`. */
function rowProblems<F, R extends string, Id extends string>(row: Row<F, R, Id>, used: Set<string>): readonly string[] {
  const problems: string[] = [];
  if (!/^[a-z]+(-[a-z]+)*$/.test(row.id)) problems.push(`row ${row.id} is not named in kebab-case`);
  if (row.when === "") problems.push(`row ${row.id} does not say when it holds`);
  try {
    const { report } = row.sketch();
    const keeps = row.id.endsWith("-keep");
    if (report.kind === "set") used.add(report.reason);
    if (report.kind !== "last-known" && keeps)
      problems.push(`row ${row.id} sets the status, so its id must not end in -keep`);
    if (report.kind === "last-known" && !keeps) {
      problems.push(`row ${row.id} keeps the status, so its id must end in -keep`);
    }
  } catch (error) {
    problems.push(`row ${row.id} cannot be printed: ${describeError(error)}`);
  }
  return problems;
}
