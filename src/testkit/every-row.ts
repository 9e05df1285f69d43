import assert from "node:assert/strict";
import type { Next } from "#base";
import { type ConditionTable, decide, explain, nameOf, type Report, tableProblems } from "#conditions";
import { describe, test } from "vitest";
import { recordRow } from "./row-record.ts";

/** A change of whole facts, and what the table says then. */
export interface RowCase<Facts, Reason extends string> {
  readonly given: Partial<Facts>;
  readonly report: Report<Reason>;
  /** Waits for a change unless said otherwise. */
  readonly next?: Next["kind"];
}

/**
 * One case or more for each row of a table, each a change of whole facts that are otherwise fine. A row that is left out
 * does not compile.
 */
export function everyRow<Facts extends object, Reason extends string, Id extends string>(
  table: ConditionTable<Facts, Reason, Id>,
  fine: Facts,
  cases: { readonly [row in Id]: RowCase<Facts, Reason> | readonly RowCase<Facts, Reason>[] },
): void {
  describe(nameOf(table), () => {
    test("is declared well", () => assert.deepEqual(tableProblems(table), []));

    for (const { id } of table.rows) {
      const own = [cases[id]].flat();
      for (const [index, { given, report, next = "await-change" }] of own.entries()) {
        test(own.length === 1 ? id : `${id} (${index + 1})`, ({ task }) => {
          const facts = { ...fine, ...given };
          const decision = decide(table, facts);
          assert.equal(decision.row.id, id);
          assert.deepEqual(decision.report, report);
          assert.equal(decision.next.kind, next);
          assert.deepEqual(JSON.parse(JSON.stringify(facts)), facts, "facts must be plain JSON");
          assert.equal(explain(table, facts).row, id);
          recordRow(task, { by: "table", table: nameOf(table), row: id });
        });
      }
    }
  });
}
