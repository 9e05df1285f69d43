import type { Command } from "commander";
import { Cluster, DevCluster, DevMachine, Machine } from "#api";
import type { AnyKind, Client } from "#client";
import { InvalidDurationError, noTime, parseDuration } from "#base";
import { fieldAt, isNotFound } from "#machinery";
import { breakAnnotations } from "#providers";
import { UsageError } from "../errors.ts";
import { example } from "../example.ts";
import { reachPlane } from "../plane/reach-plane.ts";
import type { AddCommand } from "./index.ts";

interface BreakOptions {
  readonly kubeconfig?: string;
  readonly namespace: string;
}

/** Kinds that can be named, and what breaks with them. */
const targets: ReadonlyMap<string, "node" | "api-server"> = new Map([
  ["machine", "node"],
  ["devmachine", "node"],
  ["cluster", "api-server"],
  ["devcluster", "api-server"],
]);

/** Adds `capstan dev`. */
export const addDev: AddCommand = (program, terminal) => {
  const dev = program
    .command("dev")
    .description("play with the development provider")
    .addHelpText("after", example("capstan dev break machine/quickstart-worker-1 node down"));
  addTarget(dev.command("break"), "break the Node of a Machine or the API server of a Cluster on purpose")
    .argument("<how...>", "node down, node gone, api-server stopped, or api-server slow <duration>")
    .addHelpText(
      "after",
      example(
        "capstan dev break machine/quickstart-worker-1 node down",
        "capstan dev break cluster/quickstart api-server slow 2s",
      ),
    )
    .action(async (target: string, how: readonly string[], options: BreakOptions) => {
      terminal.write(await annotate(target, breakOf(how), options));
    });
  addTarget(dev.command("heal"), "make whole what was broken")
    .addHelpText("after", example("capstan dev heal machine/quickstart-worker-1"))
    .action(async (target: string, options: BreakOptions) => {
      terminal.write(await annotate(target, { what: whatOf(target), value: null }, options));
    });
};

function addTarget(command: Command, description: string): Command {
  return command
    .description(description)
    .argument("<kind/name>", "machine/NAME or cluster/NAME; devmachine/NAME and devcluster/NAME do too")
    .option("--kubeconfig <file>", "how the plane is reached; KUBECONFIG or that of capstan up unless told")
    .option("-n, --namespace <name>", "the namespace of the object", "default");
}

/** What to break, and what its annotation says then; null makes it whole. */
interface Break {
  readonly what: "node" | "api-server";
  readonly value: string | null;
}

function breakOf(how: readonly string[]): Break {
  const [what, state, duration, ...rest] = how;
  const isNode = what === "node" && (state === "down" || state === "gone") && duration === undefined;
  if (isNode) return { what, value: state };
  const isServer = what === "api-server" && rest.length === 0;
  if (isServer && state === "stopped" && duration === undefined) return { what, value: state };
  if (isServer && state === "slow" && duration !== undefined) return { what, value: delayOf(duration) };
  throw new UsageError(
    `cannot break ${how.join(" ")}; there are node down, node gone, api-server stopped, api-server slow DURATION`,
  );
}

function delayOf(text: string): string {
  try {
    if (parseDuration(text) > noTime) return text;
  } catch (error) {
    if (!(error instanceof InvalidDurationError)) throw error;
  }
  throw new UsageError(`slow takes a duration such as 2s, not ${text}`);
}

function whatOf(target: string): Break["what"] {
  const what = targets.get(target.split("/")[0]?.toLowerCase() ?? "");
  if (what !== undefined) return what;
  throw new UsageError(
    `nothing of ${target} can be broken; there are ${[...targets.keys()].map((kind) => `${kind}/NAME`).join(", ")}`,
  );
}

async function annotate(target: string, { what, value }: Break, options: BreakOptions): Promise<string> {
  const [kind = "", name = "", ...rest] = target.split("/");
  const breakable = whatOf(target);
  if (name === "" || rest.length > 0) throw new UsageError(`say what is meant as ${kind}/NAME, not as ${target}`);
  if (breakable !== what) throw new UsageError(`${kind} has no ${what} of its own; break ${breakable} of it`);
  using plane = await reachPlane(options);
  const { client } = plane;
  const annotated = what === "node" ? DevMachine : DevCluster;
  const key = { namespace: options.namespace, name: await infrastructureOf(client, kind, { ...options, name }) };
  const annotation = what === "node" ? breakAnnotations.node : breakAnnotations.apiServer;
  const patch = { metadata: { annotations: { [annotation]: value } } };
  try {
    await client.patch(annotated, key, { kind: "merge", patch });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UsageError(`there is no ${annotated.kind} ${key.name} in namespace ${key.namespace}`);
  }
  return `${annotated.kind} ${key.name}: ${what} ${value ?? "whole again"}\n`;
}

/** The simulated object behind a Machine or a Cluster, which may have another name. */
async function infrastructureOf(
  client: Client,
  kind: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const owner = new Map<string, AnyKind>([
    ["machine", Machine],
    ["cluster", Cluster],
  ]).get(kind.toLowerCase());
  if (owner === undefined) return name;
  const found = await client.find(owner, { namespace, name });
  if (found === undefined) throw new UsageError(`there is no ${owner.kind} ${name} in namespace ${namespace}`);
  const ref = fieldAt(found, "spec", "infrastructureRef");
  const [refKind, refName] = [fieldAt(ref, "kind"), fieldAt(ref, "name")];
  if (typeof refName === "string" && typeof refKind === "string" && refKind.startsWith("Dev")) return refName;
  throw new UsageError(`${owner.kind} ${name} is not one of the development provider`);
}
