import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cluster } from "#api";
import { milliseconds, minutes, seconds, systemClock } from "#base";
import type { Client } from "#client";
import type { BenchOptions } from "../tools/bench/benches.ts";
import { createClusters, objectsPerCluster, untilReady } from "../tools/plane/dev-clusters.ts";
import { connectTo, startUp, type UpProcess } from "../tools/plane/up-process.ts";

/** What clusters cost from their creation until all is ready, what they cost when nothing happens, and a restart. */
export async function bench(print: (line: object) => void, { sizes }: BenchOptions): Promise<void> {
  for (const clusters of sizes.length === 0 ? [20, 50, 200, 1000] : sizes) await measure(clusters, print);
}

async function measure(clusters: number, print: (line: object) => void): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "capstan-clusters-"));
  try {
    await using up = startUp({ data, nodeFlags: profileFlags() });
    await up.ready;
    {
      using connection = await connectTo(up.kubeconfig);
      print({ bench: "clusters.born", clusters, ...(await measureBirth(up, connection.client, clusters)) });
      // Ten seconds after its birth a Machine still changes what its Cluster says.
      await untilQuiet(up, 12);
      print({ bench: "clusters.idle", clusters, ...(await measureIdle(up, connection.client)) });
    }
    await up.stop();
    print({ bench: "clusters.restart", clusters, ...(await measureRestart(data, clusters)) });
  } finally {
    await rm(data, { recursive: true });
  }
}

async function measureBirth(up: UpProcess, client: Client, clusters: number): Promise<object> {
  const [begun, used, written] = [performance.now(), up.cpuSeconds(), await revisionOf(client)];
  const names = Array.from({ length: clusters }, (_, index) => `c${index}`);
  const ready = untilReady(client, clusters);
  await createClusters(() => Promise.resolve(client), names);
  const created = performance.now();
  await ready;
  return {
    "s until created": round((created - begun) / 1000),
    "s until ready": round((performance.now() - begun) / 1000),
    "CPU s/cluster": round((up.cpuSeconds() - used) / clusters),
    "writes/cluster": round(((await revisionOf(client)) - written) / clusters),
    "of them created": objectsPerCluster,
    "peak MB": up.peakMegabytes(),
  };
}

async function measureIdle(up: UpProcess, client: Client): Promise<object> {
  const [used, written] = [up.cpuSeconds(), await revisionOf(client)];
  await systemClock.sleep(minutes(1));
  return {
    "CPU s/min": round(up.cpuSeconds() - used),
    "writes/min": (await revisionOf(client)) - written,
    "peak MB": up.peakMegabytes(),
  };
}

async function measureRestart(data: string, clusters: number): Promise<object> {
  const begun = performance.now();
  await using up = startUp({ data });
  await up.ready;
  const ready = performance.now();
  using connection = await connectTo(up.kubeconfig);
  const written = await revisionOf(connection.client);
  await untilReady(connection.client, clusters);
  const quiet = await untilQuiet(up);
  return {
    "s until up": round((ready - begun) / 1000),
    "s until quiet": round((quiet - begun) / 1000),
    "CPU s": round(up.cpuSeconds()),
    writes: (await revisionOf(connection.client)) - written,
    "peak MB": up.peakMegabytes(),
  };
}

/** A server counts its writes by itself. */
async function revisionOf(client: Client): Promise<number> {
  return Number((await client.list(Cluster, { limit: 1 })).metadata.resourceVersion);
}

/** Resolves once a process has not worked for some seconds, with the time at which it ceased to. */
async function untilQuiet(up: UpProcess, needs = 2): Promise<number> {
  const step = milliseconds(250);
  const needed = seconds(needs);
  let [before, since] = [up.cpuSeconds(), performance.now()];
  while (performance.now() - since < needed) {
    await systemClock.sleep(step);
    const now = up.cpuSeconds();
    if (now - before > 0.03) since = performance.now();
    before = now;
  }
  return since;
}

/** With CAPSTAN_PROFILE a profile of the plane is left in that folder. */
function profileFlags(): readonly string[] {
  const folder = process.env["CAPSTAN_PROFILE"];
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
