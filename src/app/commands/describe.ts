import { readFile } from "node:fs/promises";
import { Option } from "commander";
import { systemClock } from "#base";
import { UsageError } from "../errors.ts";
import { example } from "../example.ts";
import { untilStopped } from "../stopping.ts";
import type { Terminal } from "../terminal.ts";
import type { AddCommand } from "./index.ts";

/** The flags of `capstan describe`, as commander hands them over. */
interface DescribeFlags {
  readonly filename?: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly output: "text" | "json" | "yaml";
  readonly showConditions: string;
  readonly grouping: boolean;
  readonly watch?: boolean;
}

/** Adds `capstan describe`. */
export const addDescribe: AddCommand = (program, terminal) => {
  program
    .command("describe")
    .description("show everything that makes up a Cluster as a tree, with its conditions and the rows that decided")
    .argument("<kind>", "cluster, or cluster/NAME")
    .argument("[name]", "the name of the Cluster")
    .option("-f, --filename <file>", "objects in files instead of a running plane; may be given again", collected)
    .option("--kubeconfig <file>", "how the plane is reached; KUBECONFIG or that of capstan up unless told")
    .option("--context <name>", "the context of the kubeconfig")
    .option("-n, --namespace <name>", "the namespace of the Cluster")
    .option(
      "--show-conditions <list>",
      "whose conditions are all shown: all, or such as Machine,Cluster/quickstart",
      "",
    )
    .option("--no-grouping", "show every Machine, also those that say the same")
    .option("-w, --watch", "draw it anew whenever something changes")
    .addOption(new Option("-o, --output <form>", "how to print").choices(["text", "json", "yaml"]).default("text"))
    .addHelpText(
      "after",
      example(
        "capstan describe cluster quickstart",
        "capstan describe cluster quickstart --show-conditions Machine --watch",
        "capstan describe cluster quickstart -f dump.yaml -o json",
      ),
    )
    .action((kind: string, name: string | undefined, flags: DescribeFlags) =>
      untilStopped((stop) => describe(clusterAsked(kind, name), flags, { terminal, signal: stop.signal })),
    );
};

/** The Cluster that `cluster NAME` or `cluster/NAME` means. */
function clusterAsked(word: string, separate: string | undefined): string {
  const [kind = "", ...joined] = word.split("/");
  if (!["cluster", "clusters"].includes(kind.toLowerCase()))
    throw new UsageError(`only clusters are described, not ${kind}`);
  const [name = "", ...others] = [...joined, ...(separate === undefined ? [] : [separate])];
  if (name === "" || others.length > 0) throw new UsageError("give one name, such as cluster quickstart");
  return name;
}

async function describe(
  name: string,
  flags: DescribeFlags,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<void> {
  const cli = await import("#cli");
  const { output, grouping, watch = false } = flags;
  const isColourful = terminal.isColourful === true;
  const paint = isColourful ? cli.colours : cli.noPaint;
  const showConditions = flags.showConditions.split(",").filter((one) => one !== "");
  const explain = [terminal.program?.() ?? "capstan", "explain", ...flagsAgain(flags)].join(" ");
  const printing = { output, paint, showConditions, explain, write: terminal.write };
  const settings = {
    signal,
    spelling: "documented",
    gracePeriods: cli.defaultGracePeriods,
    judges: (await import("./explain-dev.ts")).devJudges,
    facts: cli.nothingKnown,
  } as const;
  if (flags.filename !== undefined) {
    if (watch) throw new UsageError("a file does not change: --watch wants a running plane");
    const dump = await cli.readDumpFiles(flags.filename, (path) => readFile(path, "utf8"));
    const namespace = flags.namespace ?? cli.namespaceIn(dump, { kind: "cluster", name });
    await cli.describeTo({ name, namespace, grouping }, cli.dumpSituation(dump, settings), printing);
    return;
  }
  const { reachPlane } = await import("../plane/reach-plane.ts");
  using plane = await reachPlane(flags);
  const { client, passes } = plane;
  const namespace = flags.namespace ?? plane.namespace;
  const draw = async (): Promise<void> => {
    await using situation = cli.liveSituation({ ...settings, client, ...(passes === undefined ? {} : { passes }) });
    let text = "";
    await cli.describeTo({ name, namespace, grouping }, situation, { ...printing, write: (part) => (text += part) });
    terminal.write(`${watch && isColourful ? clearScreen : ""}${text}`);
  };
  if (watch) await cli.whenChanged(client, draw, { clock: systemClock, signal, namespace });
  else await draw();
}

/** What leads `capstan explain` to the same objects. */
function flagsAgain({ filename = [], kubeconfig, context, namespace }: DescribeFlags): readonly string[] {
  return [
    ...filename.map((file) => `-f ${file}`),
    ...(kubeconfig === undefined ? [] : [`--kubeconfig ${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context ${context}`]),
    ...(namespace === undefined ? [] : [`-n ${namespace}`]),
  ];
}

const clearScreen = "\u001b[2J\u001b[H";

function collected(file: string, files: readonly string[] = []): readonly string[] {
  return [...files, file];
}
