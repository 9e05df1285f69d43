import { readFile, writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type { KnownFacts } from "#cli";
import type { ReasonSpelling } from "#conditions";
import { example } from "../example.ts";
import { UsageError } from "../errors.ts";
import { untilStopped } from "../stopping.ts";
import type { Terminal } from "../terminal.ts";
import type { AddCommand } from "./index.ts";

/** The flags of `capstan explain`, as commander hands them over. */
interface ExplainFlags {
  readonly filename?: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly table?: string;
  readonly facts?: string;
  readonly docs?: boolean;
  readonly output: "text" | "json" | "yaml";
  readonly conditionReasons: ReasonSpelling;
  readonly now?: string;
  readonly lastProbeSuccess?: string;
  readonly consecutiveFailures?: string;
  readonly connected?: boolean;
  readonly remoteConnectionGracePeriod?: string;
  readonly remoteConditionsGracePeriod?: string;
  readonly passes?: string;
  readonly passesTokenFile?: string;
  readonly save?: string;
}

/** Adds `capstan explain`. */
export const addExplain: AddCommand = (program, terminal) => {
  const command = program
    .command("explain")
    .description("say why a condition is what it is and what comes next: of a running plane, of a dump, of facts")
    .argument("[object]", "KIND/NAME, such as machine/quickstart-worker-1")
    .argument("[condition]", "the condition; the one that sums up the others unless told");
  addWhere(command);
  addKnown(command);
  command
    .option("-t, --table <name>", "ask one table, such as Machine.NodeReady, about --facts")
    .option("--facts <file>", "a YAML or JSON file with what was seen, for --table")
    .option("--docs", "print the table itself")
    .addOption(new Option("-o, --output <form>", "how to print").choices(["text", "json", "yaml"]).default("text"))
    .addOption(
      new Option("--condition-reasons <spelling>", "how reasons are spelled")
        .choices(["documented", "upstream"])
        .default("documented"),
    )
    .addHelpText(
      "after",
      example(
        "capstan explain machine/quickstart-worker-1",
        "capstan explain cluster/quickstart RollingOut -n team-a --kubeconfig ~/.kube/config",
        "capstan explain machine/worker NodeReady -f examples/explain/node-ready/not-ready.yaml",
        "capstan explain machine/any NodeReady --docs",
        "capstan explain --table Machine.NodeReady --facts examples/node-not-ready.yaml",
      ),
    )
    .action((object: string | undefined, condition: string | undefined, flags: ExplainFlags) =>
      explainCommand({ object, condition }, flags, terminal),
    );
};

function addWhere(command: Command): void {
  command
    .option("-f, --filename <file>", "judge objects in files instead of a running plane; may be given again", collected)
    .option("--kubeconfig <file>", "how the plane is reached; KUBECONFIG or that of capstan up unless told")
    .option("--context <name>", "the context of the kubeconfig")
    .option("-n, --namespace <name>", "the namespace of the object");
}

function addKnown(command: Command): void {
  command
    .option("--now <time>", "when the dump was made; the newest time in it unless told")
    .option("--last-probe-success <time>", "when the manager last reached the workload cluster, or never")
    .option("--consecutive-failures <n>", "how many probes have failed since")
    .option("--connected", "the manager has a connection, and the Nodes in the dump are all there are")
    .option("--no-connected", "the manager has no connection to the workload cluster")
    .option("--remote-connection-grace-period <duration>", "as the manager has it; 50s unless told")
    .option("--remote-conditions-grace-period <duration>", "as the manager has it; 5m unless told")
    .option("--passes <url>", "where the manager serves its last passes (its --diagnostics-address)")
    .option("--save <file>", "write what was looked at to a file, so that -f gives the same answer without the plane")
    .option("--passes-token-file <file>", "the token with which it is asked");
}

interface Asked {
  readonly object: string | undefined;
  readonly condition: string | undefined;
}

async function explainCommand({ object, condition }: Asked, flags: ExplainFlags, terminal: Terminal): Promise<void> {
  const { table, facts, docs, output, conditionReasons } = flags;
  if (table !== undefined) {
    const seen = facts ?? flags.filename?.[0];
    const options = { table, output, conditionReasons, ...(seen === undefined ? {} : { facts: seen }) };
    const ports = { readFile: readText, write: terminal.write };
    const { explainFacts } = await import("./explain-facts.ts");
    await explainFacts({ ...options, docs: docs ?? false }, ports);
    return;
  }
  const [, kind = "", name = ""] = /^([^/]+)\/([^/]+)$/.exec(object ?? "") ?? [];
  if (docs === true && condition !== undefined) {
    const { kindNamed } = await import("#cli");
    const { printTable } = await import("./explain-facts.ts");
    const word = kind === "" ? (object ?? "") : kind;
    printTable(`${kindNamed(word)?.kind ?? word}.${condition}`, { output, conditionReasons }, terminal.write);
    return;
  }
  if (name === "") throw new UsageError("give KIND/NAME, such as machine/quickstart-worker-1, or --table with --facts");
  const question = { kind, name, ...(condition === undefined ? {} : { condition }) };
  await untilStopped(({ signal }) => explainObjectOf(question, flags, { terminal, signal }));
}

async function explainObjectOf(
  asked: { readonly kind: string; readonly name: string; readonly condition?: string },
  flags: ExplainFlags,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<void> {
  const cli = await import("#cli");
  const settings = {
    signal,
    spelling: flags.conditionReasons,
    gracePeriods: await gracePeriodsOf(flags),
    judges: (await import("./explain-dev.ts")).devJudges,
    facts: await factsOfFlags(flags),
  };
  const paint = terminal.isColourful === true ? cli.colours : cli.noPaint;
  const printing = { output: flags.output, paint, write: terminal.write };
  if (flags.filename !== undefined) {
    const dump = await cli.readDumpFiles(flags.filename, readText);
    const question = { ...asked, namespace: flags.namespace ?? cli.namespaceIn(dump, asked) };
    await cli.explainTo(question, cli.dumpSituation(dump, settings), printing);
    return;
  }
  const { passesAt, reachPlane } = await import("../plane/reach-plane.ts");
  using plane = await reachPlane(flags);
  const token = flags.passesTokenFile === undefined ? undefined : (await readText(flags.passesTokenFile)).trim();
  const passes = flags.passes === undefined ? plane.passes : passesAt(flags.passes, token);
  await using situation = cli.liveSituation({
    ...settings,
    client: plane.client,
    ...(passes === undefined ? {} : { passes }),
  });
  const looked = cli.recordSituation(situation);
  await cli.explainTo({ ...asked, namespace: flags.namespace ?? plane.namespace }, looked, printing);
  if (flags.save !== undefined) await writeFile(flags.save, looked.dump());
}

async function gracePeriodsOf(flags: ExplainFlags) {
  const { defaultGracePeriods } = await import("#cli");
  const { durationOf } = await import("../plane/plane-flags.ts");
  const { remoteConnectionGracePeriod: connection, remoteConditionsGracePeriod: conditions } = flags;
  return {
    remoteConnection:
      connection === undefined
        ? defaultGracePeriods.remoteConnection
        : durationOf("--remote-connection-grace-period", connection),
    remoteConditions:
      conditions === undefined
        ? defaultGracePeriods.remoteConditions
        : durationOf("--remote-conditions-grace-period", conditions),
  };
}

async function factsOfFlags(flags: ExplainFlags): Promise<KnownFacts> {
  const { nothingKnown, probeTimeOf, timeOf } = await import("#cli");
  const { now, lastProbeSuccess, consecutiveFailures, connected } = flags;
  if (consecutiveFailures !== undefined && !/^\d{1,9}$/.test(consecutiveFailures))
    throw new UsageError(`--consecutive-failures takes a number, not ${consecutiveFailures}`);
  return {
    ...nothingKnown,
    ...(now === undefined ? {} : { now: timeOf(now, "--now") }),
    connection: {
      ...(lastProbeSuccess === undefined
        ? {}
        : { lastProbeSuccess: probeTimeOf(lastProbeSuccess, "--last-probe-success") }),
      ...(consecutiveFailures === undefined ? {} : { consecutiveFailures: Number(consecutiveFailures) }),
      ...(connected === undefined ? {} : { connected }),
    },
  };
}

function collected(file: string, files: readonly string[] = []): readonly string[] {
  return [...files, file];
}

async function readText(path: string): Promise<string> {
  return await readFile(path, "utf8");
}
