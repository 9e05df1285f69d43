import { nameOf, type ReasonSpelling, spelled } from "./decide.ts";
import type { NextSketch, ReportSketch } from "./sketch.ts";
import type { ConditionTable, Ensure } from "./table.ts";

interface Documented {
  readonly spelling?: ReasonSpelling;
}

/** A table as Markdown, with the columns of the documents that Capstan was asked for in. */
export function documentTable<F, R extends string, Id extends string>(
  table: ConditionTable<F, R, Id>,
  { spelling = "documented" }: Documented = {},
): string {
  const lines = table.rows.map((row) => {
    const { report, next } = row.sketch();
    const cells = [
      `\`${row.id}\``,
      row.when,
      ensureCell(row.ensure),
      reportCell(table, report, spelling),
      nextCell(next),
    ];
    return `| ${cells.map(escapeCell).join(" | ")} |`;
  });
  return [
    `# ${table.of} \`${table.type}\``,
    "",
    table.summary,
    "",
    `The first row whose guard holds decides. Polarity: ${table.polarity}.`,
    "",
    `| Row | Guard (Observed predicate) | Ensure (Idempotent reconcile action) | Condition transition (ONLY \`${table.type}\`) | Next reconcile (Return) |`,
    "|---|---|---|---|---|",
    ...lines,
    ...spellings(table),
    "",
  ].join("\n");
}

/** A table as plain JSON. */
export function tableJson<F, R extends string, Id extends string>(table: ConditionTable<F, R, Id>): object {
  const { of, type, polarity, summary, reasons, documented } = table;
  const rows = table.rows.map(({ id, when, ensure, sketch }) => ({ id, when, ensure: printable(ensure), ...sketch() }));
  return { name: nameOf(table), of, type, polarity, summary, reasons, documented, rows };
}

/** A step says more about itself than a table needs. */
function printable(ensure: Ensure): Ensure {
  return "nothing" in ensure ? ensure : { name: ensure.name, text: ensure.text };
}

function ensureCell(ensure: Ensure): string {
  return "nothing" in ensure ? `No-op; ${ensure.nothing}` : `\`${ensure.name}\`: ${ensure.text}`;
}

function reportCell<F, R extends string, Id extends string>(
  table: ConditionTable<F, R, Id>,
  report: ReportSketch<R>,
  spelling: ReasonSpelling,
): string {
  if (report.kind === "last-known") return "(condition unchanged)";
  const reason = report.kind === "set" ? spelled(table, report.reason, spelling) : report.reason;
  const message = report.message.replaceAll("\n", "\\n");
  return `\`${table.type}=${report.status}; Reason=${reason}; Message="${message}"; ObservedGeneration=metadata.generation\``;
}

function nextCell(next: NextSketch): string {
  switch (next.kind) {
    case "await-change":
      return "`none`";
    case "requeue":
      return `\`requeueAfter: ${next.after}\` (${next.why})`;
    case "retry":
      return "`requeue` (error return)";
  }
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function spellings<F, R extends string, Id extends string>(table: ConditionTable<F, R, Id>): readonly string[] {
  const pairs = Object.entries(table.documented).map(
    ([upstream, documented]) => `\`${documented}\` is \`${upstream}\``,
  );
  if (pairs.length === 0) return [];
  return [
    "",
    `With \`--condition-reasons=upstream\` the reasons are spelled as upstream spells them: ${pairs.join(", ")}.`,
  ];
}
