import { Cluster, DevCluster, DevMachine, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { type Clock, milliseconds } from "#base";
import type { Client } from "#client";
import { printData } from "../explain/explain.ts";
import type { Situation } from "../explain/situation.ts";
import type { Paint } from "../paint.ts";
import { describeCluster, type DescribeOptions } from "./object-tree.ts";
import { printTree } from "./print-tree.ts";

/** How a Cluster is printed. */
export interface DescribePrinting {
  readonly output: "text" | "json" | "yaml";
  readonly paint: Paint;
  readonly showConditions: readonly string[];
  readonly write: (text: string) => void;
}

/** Prints everything that makes up a Cluster. */
export async function describeTo(
  options: DescribeOptions,
  situation: Situation,
  { output, paint, showConditions, write }: DescribePrinting,
): Promise<void> {
  const tree = await describeCluster(options, situation);
  const notes = situation.notes().map((note) => paint.dim(`note: ${note}\n`));
  const now = situation.clock.now();
  write(
    output === "text" ? `${printTree(tree, { paint, now, showConditions })}${notes.join("")}` : printData(tree, output),
  );
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
