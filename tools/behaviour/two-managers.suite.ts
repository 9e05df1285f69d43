import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { createClusters, deleteClusters, untilGone, untilReady } from "../plane/dev-clusters.ts";
import { findOddities } from "../plane/oddities.ts";
import { connectTo } from "../plane/up-process.ts";
import { root } from "../root.ts";

const capstan = join(root, "bin/capstan");
const minutes = 60_000;
// Others use the same server at the same time.
const namespace = "two-managers";

/** A manager that takes part in the election. */
function startManager(kubeconfig: string) {
  const parameters = [
    capstan,
    "manager",
    "--kubeconfig",
    kubeconfig,
    "--leader-elect",
    "--namespace",
    namespace,
    "--no-webhooks",
  ];
  const child: ChildProcess = spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  const leads = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk) => {
      if (String(chunk).includes("the controllers work")) resolve();
    });
  });
  const end = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    child.kill(signal);
    await closed;
  };
  onTestFinished(() => end("SIGKILL"));
  return { leads, end };
}

test(
  "of two managers one works; when it is killed the other goes on, and nothing is missed",
  { timeout: 5 * minutes },
  async () => {
    const kubeconfig = inject("realKubeconfig");
    execFileSync(process.execPath, [capstan, "install", "--kubeconfig", kubeconfig]);
    using connection = await connectTo(kubeconfig);
    const { client } = connection;
    const Namespace = { group: "", version: "v1", kind: "Namespace" } as const;
    await client.apply(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const names = ["two-managers-a", "two-managers-b", "two-managers-c"];

    const first = startManager(kubeconfig);
    await first.leads;
    const second = startManager(kubeconfig);
    const signal = AbortSignal.timeout(4 * minutes);
    const [one = "", ...others] = names;
    await createClusters(() => Promise.resolve(client), [one], { namespace });
    await untilReady(client, 1, { namespace, signal });
    // These are on their way when their manager dies.
    const created = createClusters(() => Promise.resolve(client), others, { namespace });
    await first.end("SIGKILL");
    await created;
    await second.leads;
    await untilReady(client, names.length, { namespace, signal });
    expect(await findOddities(client, names, { namespace })).toEqual([]);

    await deleteClusters(client, names, { namespace });
    await untilGone(client, { namespace, signal });
    await second.end("SIGTERM");
  },
);
