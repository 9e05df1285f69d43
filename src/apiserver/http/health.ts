/** Something that has to be well for the server to be. */
export interface HealthCheck {
  readonly name: string;
  /** What is wrong; undefined where nothing is. */
  readonly problem: () => string | undefined;
}

const endpoint = /^\/(healthz|livez|readyz)(?:\/(.+))?$/;

/** Answers `/healthz`, `/livez` and `/readyz`; undefined for every other path. */
export function answerHealth(
  path: string,
  query: URLSearchParams,
  checksOf: (endpoint: string) => readonly HealthCheck[],
): { readonly code: number; readonly text: string } | undefined {
  const [, name, single] = endpoint.exec(path) ?? [];
  if (name === undefined) return undefined;
  const all = checksOf(name);
  if (single !== undefined) {
    const check = all.find((each) => each.name === single);
    if (check === undefined) return { code: 404, text: "404 page not found\n" };
    const problem = check.problem();
    return problem === undefined
      ? { code: 200, text: "ok" }
      : { code: 500, text: `internal server error: ${problem}\n` };
  }
  return report(name, all, query);
}

function report(
  name: string,
  checks: readonly HealthCheck[],
  query: URLSearchParams,
): { readonly code: number; readonly text: string } {
  const excluded = new Set(query.getAll("exclude"));
  const lines: string[] = [];
  let failed = false;
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    const problem = check.problem();
    failed ||= problem !== undefined;
    lines.push(problem === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((each) => JSON.stringify(each)).join(", ");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  if (failed) return { code: 500, text: `${lines.join("\n")}\n${name} check failed\n` };
  if (!query.has("verbose")) return { code: 200, text: "ok" };
  return { code: 200, text: `${lines.join("\n")}\n${name} check passed\n` };
}
