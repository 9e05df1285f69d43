import { Cluster, DevCluster, DevMachine, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { type Clock, milliseconds } from "#base";
import type { Client } from "#client";
import { withoutControls } from "#conditions";
import { printData } from "../explain/explain.ts";
import { unreachableLines } from "../explain/print-unreachable.ts";
import type { Situation } from "../explain/situation.ts";
import type { Paint } from "../paint.ts";
import { describeCluster, type DescribeOptions, type ObjectTree } from "./object-tree.ts";
import { printTree } from "./print-tree.ts";

/** How a Cluster is printed. */
export interface DescribePrinting {
  readonly output: "text" | "json" | "yaml";
  readonly paint: Paint;
  readonly showConditions: readonly string[];
  /** The command that says why something is not well, without the object. */
  readonly explain: string;
  readonly write: (text: string) => void;
}

/** Prints everything that makes up a Cluster. */
export async function describeTo(
  options: DescribeOptions,
  situation: Situation,
  { output, paint, showConditions, explain, write }: DescribePrinting,
): Promise<void> {
  const tree = await describeCluster(options, situation);
  if (output !== "text") {
    write(printData(tree, output));
    return;
  }
  const notes = situation.notes().map((note) => `note: ${note}`);
  const hints = notWell(tree)
    .slice(0, mostHints)
    .map((object) => `why: ${explain} ${object}`);
  const lines = [...notes, ...hints].map((line) => paint.dim(withoutControls(line)));
  const { unreachable: away } = tree;
  const warnings = away === undefined ? [] : unreachableLines(away, "Cluster").map((line) => paint.unsure(line));
  const now = situation.clock.now();
  write(`${printTree(tree, { paint, now, showConditions })}${[...warnings, ...lines].map(asLine).join("")}`);
}

const mostHints = 3;

function asLine(text: string): string {
  return `${text}\n`;
}

/** Clusters and Machines that are not well, as `explain` takes them: `machine/worker-1`. */
function notWell({ object, head, unreachable: away, children }: ObjectTree): readonly string[] {
  const isAsked = object?.kind === "Cluster" || object?.kind === "Machine";
  const isWell = away === undefined && head?.status === (head?.negative === true ? "False" : "True");
  const own = object !== undefined && isAsked && !isWell ? [`${object.kind.toLowerCase()}/${object.name}`] : [];
  return [...own, ...children.flatMap(notWell)];
}

/** Kinds whose changes are worth another look. */
const watched = [Cluster, Machine, MachineDeployment, MachineSet, MachinePool, DevCluster, DevMachine];

/** Many changes at once are drawn once. */
const calm = milliseconds(200);

/** Draws, and draws again whenever something has changed, until the signal ends it. */
export async function whenChanged(
  client: Client,
  draw: () => Promise<void>,
  { clock, signal, namespace }: { readonly clock: Clock; readonly signal: AbortSignal; readonly namespace: string },
): Promise<void> {
  let wake: () => void = () => undefined;
  const follow = async (kind: (typeof watched)[number]): Promise<void> => {
    for await (const event of client.watch(kind, { signal, namespace })) if (event.kind !== "listed") wake();
  };
  const following = watched.map((kind) => follow(kind).catch(() => undefined));
  while (!signal.aborted) {
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await draw();
    await changed;
    await clock.sleep(calm, { signal }).catch(() => undefined);
  }
  await Promise.all(following);
}
