import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compareApplies } from "./differential/apply.ts";
import { compareScript, type Pair } from "./differential/compare-scripts.ts";
import { ExpectedDifferences, readExpected } from "./differential/expected.ts";
import { readScript } from "./differential/script.ts";
import { reach, startOurs, startReal } from "./differential/servers.ts";
import { openScriptWebhook } from "./differential/webhook.ts";
import { root } from "./root.ts";

// Compares Capstan's API server with a real kube-apiserver:
//   npm run differential -- [--real KUBECONFIG] [--ours KUBECONFIG] [--script FILE…] [--verbose]
//   npm run differential -- apply [--sequences N] [--steps N] [--seed S]
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    real: { type: "string" },
    ours: { type: "string" },
    script: { type: "string", multiple: true },
    verbose: { type: "boolean", default: false },
    sequences: { type: "string", default: "200" },
    steps: { type: "string", default: "12" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

const folder = join(root, "test/differential");

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const [command = "scripts", ...more] = positionals;
  if (more.length > 0 || !["scripts", "apply"].includes(command))
    throw new Error(`${positionals.join(" ")}: no such command`);
  const real = options.real === undefined ? await startReal() : reach(options.real);
  try {
    const ours = options.ours === undefined ? await startOurs() : reach(options.ours);
    try {
      return await (command === "apply" ? runApplies({ real, ours }) : runScripts({ real, ours }));
    } finally {
      await ours.stop();
    }
  } finally {
    await real.stop();
  }
}

async function runScripts(pair: Pair): Promise<number> {
  const expected = new ExpectedDifferences(readExpected(join(folder, "expected", "differences.json")));
  const files = options.script ?? scriptsOf(folder);
  const ran = new Set<string>();
  const webhook = await openScriptWebhook();
  let [passed, failed] = [0, 0];
  for (const file of files) {
    const script = readScript(file);
    const run = `r${Date.now().toString(36)}${ran.size.toString(36)}`;
    const { verbose } = options;
    const tally = await compareScript(script, pair, { expected, run, webhook, verbose, print: console.log });
    ran.add(script.name);
    passed += tally.passed;
    failed += tally.failed;
  }
  await webhook.close();
  for (const { script, step, path } of expected.unmet(ran, options.script === undefined ? "all" : "some")) {
    failed++;
    console.log(`\n${script}: ${step}\n  the servers no longer differ at ${path}: take it off the list`);
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function runApplies(pair: Pair): Promise<number> {
  const [sequences, steps, seed] = [Number(options.sequences), Number(options.steps), Number(options.seed)];
  console.log(`seed ${seed}`);
  const { passed, failed } = await compareApplies(pair, { sequences, steps, seed, print: console.log });
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function scriptsOf(from: string): readonly string[] {
  return readdirSync(from)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => join(from, name));
}
