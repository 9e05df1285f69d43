import { withoutControls } from "#conditions";
import type { Paint } from "../paint.ts";
import type { ConditionLine, ObjectExplanation } from "./explain-object.ts";

/** All conditions of an object, a line for each; those that count for the one that is asked for are marked. */
export function allConditions({ tree, conditions, counted }: ObjectExplanation, paint: Paint): readonly string[] {
  const width = Math.max(...conditions.map(({ reason }) => reason.length)) + 2;
  const title = counted.length === 0 ? "all conditions" : `all conditions (* counts for ${tree.type})`;
  return [
    paint.bold(title),
    ...conditions.map((line) => {
      const mark = counted.includes(line.type) ? "* " : "  ";
      return `${mark}${conditionLine(line, paint, width)}`.trimEnd();
    }),
  ];
}

function conditionLine(line: ConditionLine, paint: Paint, width: number): string {
  const { type, status, reason, row, negative, undecided } = line;
  const colour =
    status === "Unknown" || status === "" ? paint.unsure : (status === "True") === negative ? paint.bad : paint.good;
  const says = colour((status === "" ? "-" : status).padEnd(8));
  const by = row === undefined ? "" : paint.dim(undecided ? "cannot be told" : `row ${row}${glossOf(row, type)}`);
  return `${type.padEnd(30)}${says}${withoutControls(reason).padEnd(width)}${by}`;
}

/** What a condition counts, where its reason sounds as if it counted something else. */
const glosses: ReadonlyMap<string, string> = new Map([
  [
    "WorkersAvailable no-workers",
    "counts MachineDeployments and MachinePools; WorkerMachinesReady has Machines that stand alone",
  ],
]);

function glossOf(row: string, type: string): string {
  const gloss = glosses.get(`${type} ${row}`);
  return gloss === undefined ? "" : `: ${gloss}`;
}
