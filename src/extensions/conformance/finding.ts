import { CapstanError, describeError } from "#base";

/** What came of one check of an extension. */
export interface Finding {
  /** What the extension should do. */
  readonly check: string;
  /** `noted`: the reference does not mind, but somebody may. `skipped`: it was not tried. */
  readonly verdict: "passed" | "failed" | "noted" | "skipped";
  /** Why, where it did not simply pass. */
  readonly detail?: string;
}

/** Makes a finding of a check: it passes unless it throws or says what is worth noting. */
export async function find(check: string, run: () => Promise<string | void>): Promise<Finding> {
  try {
    const note = (await run()) ?? undefined;
    return note === undefined ? { check, verdict: "passed" } : { check, verdict: "noted", detail: note };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { check, verdict: "failed", detail: describeError(error) };
  }
}

/** One line for each finding, and a last one that counts them. */
export function printFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ check, verdict, detail }) => {
    const line = `${verdict.padEnd(7)} ${check}`;
    return detail === undefined ? line : `${line}: ${detail}`;
  });
  const count = (verdict: Finding["verdict"]) => findings.filter((finding) => finding.verdict === verdict).length;
  const rest = (["noted", "skipped"] as const).filter((verdict) => count(verdict) > 0);
  const totals = [`${count("passed")} passed`, `${count("failed")} failed`, ...rest.map((v) => `${count(v)} ${v}`)];
  return `${[...lines, totals.join(", ")].join("\n")}\n`;
}
