import type { JsonObject } from "#machinery";
import { type Difference, differencesBetween } from "./compare.ts";
import { Conversation } from "./conversation.ts";
import type { ExpectedDifferences } from "./expected.ts";
import { Normaliser } from "./normalise.ts";
import type { Answer } from "./remote-server.ts";
import type { Script, Step } from "./script.ts";
import type { RunningServer } from "./servers.ts";
import type { ScriptWebhook } from "./webhook.ts";

/** The two servers that are compared. */
export interface Pair {
  readonly real: RunningServer;
  readonly ours: RunningServer;
}

/** How many answers were alike and how many were not. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** How a comparison is made. */
export interface ComparisonOptions {
  readonly expected: ExpectedDifferences;
  readonly run: string;
  readonly webhook: Pick<ScriptWebhook, "url" | "caBundle">;
  readonly verbose: boolean;
  readonly print: (text: string) => void;
}

interface Exchange {
  readonly step: Step;
  readonly real: Answer;
  readonly ours: Answer;
}

/** Asks both servers every step of a script, then compares their answers. */
export async function compareScript(script: Script, pair: Pair, options: ComparisonOptions): Promise<Tally> {
  const { run, expected, verbose, print } = options;
  const now = Date.now();
  const [real, ours] = [new Normaliser(run, now), new Normaliser(run, now)];
  const exchanges = await askBoth(script, pair, options);
  for (const exchange of exchanges) {
    real.learn(exchange.real);
    ours.learn(exchange.ours);
  }
  let failed = script.steps.length - exchanges.length;
  for (const { step, ...answers } of exchanges) {
    const seen = { real: real.normalise(step, answers.real), ours: ours.normalise(step, answers.ours) };
    const differences = differencesBetween(seen.real, seen.ours);
    const unexpected = differences.filter((difference) => !expected.covers(script.name, step.name, difference));
    if (unexpected.length > 0) {
      failed++;
      print(describe(script, step, { ...seen, differences: unexpected }));
    } else if (verbose) print(`same  ${script.name}: ${step.name} (${answers.ours.code})`);
  }
  return { passed: script.steps.length - failed, failed };
}

/** Asks until the end, or until a step cannot be asked: those after it count as failed. */
async function askBoth(
  script: Script,
  pair: Pair,
  { run, webhook, print }: ComparisonOptions,
): Promise<readonly Exchange[]> {
  const given = { run, webhook: webhook.url, webhookCa: webhook.caBundle };
  const [real, ours] = [new Conversation(pair.real.remote, given), new Conversation(pair.ours.remote, given)];
  const exchanges: Exchange[] = [];
  for (const step of script.steps) {
    const answers = await Promise.allSettled([real.ask(step), ours.ask(step)]);
    const [fromReal, fromOurs] = answers;
    if (fromReal.status === "fulfilled" && fromOurs.status === "fulfilled") {
      exchanges.push({ step, real: fromReal.value, ours: fromOurs.value });
      continue;
    }
    const why = answers.map((answer) => (answer.status === "fulfilled" ? "answered" : String(answer.reason)));
    print(`\n${script.name}: ${step.name}\n  could not go on\n  real  ${why[0]}\n  ours  ${why[1]}`);
    break;
  }
  return exchanges;
}

function describe(
  script: Script,
  step: Step,
  {
    differences,
    real,
    ours,
  }: { readonly differences: readonly Difference[]; readonly real: JsonObject; readonly ours: JsonObject },
): string {
  const [first] = differences;
  return [
    `\n${script.name}: ${step.name}`,
    `  ${step.method} ${step.path}${step.body === undefined ? "" : ` ${shortened(step.body)}`}`,
    `  differs at ${first?.path} (${differences.length} in all: ${differences
      .map(({ path }) => path)
      .slice(0, 8)
      .join(", ")})`,
    `    real  ${shortened(first?.real)}`,
    `    ours  ${shortened(first?.ours)}`,
    `  real  ${shortened(real)}`,
    `  ours  ${shortened(ours)}`,
  ].join("\n");
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 1_200 ? `${text.slice(0, 1_200)}…` : text;
}
