import { expect, inject, test } from "vitest";
import { createClusters, deleteClusters, untilGone, untilReady } from "../plane/dev-clusters.ts";
import { findOddities } from "../plane/oddities.ts";
import { connectTo } from "../plane/up-process.ts";
import { runInstall, startManager } from "./manager-process.ts";

const minutes = 60_000;
// Others use the same server at the same time.
const namespace = "two-managers";
const flags = ["--namespace", namespace, "--no-webhooks"];

test(
  "of two managers one works; when it is killed the other goes on, and nothing is missed",
  { timeout: 5 * minutes },
  async () => {
    const kubeconfig = inject("realKubeconfig");
    await runInstall(kubeconfig);
    using connection = await connectTo(kubeconfig);
    const { client } = connection;
    const Namespace = { group: "", version: "v1", kind: "Namespace" } as const;
    await client.apply(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const names = ["two-managers-a", "two-managers-b", "two-managers-c"];

    const first = startManager(kubeconfig, ...flags);
    await first.leads;
    const second = startManager(kubeconfig, ...flags);
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
