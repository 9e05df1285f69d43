import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultFeatureGates } from "#api";
import { createLogger, formatDuration, milliseconds, minutes, seconds, systemClock, toError } from "#base";
import { colours, noPaint } from "#cli";
import { createClient } from "#client";
import { createWorkloadServers } from "#providers";
import { admissionFor, webhooks } from "#webhooks";
import { createStage } from "../demo/stage.ts";
import { tellStory } from "../demo/story.ts";
import { DemoError } from "../errors.ts";
import { example } from "../example.ts";
import { installKinds } from "../plane/install-kinds.ts";
import { lookupsFrom } from "../plane/lookups.ts";
import type { PlaneChoices } from "../plane/plane-flags.ts";
import { startPlane } from "../plane/run-plane.ts";
import { withServer } from "../server.ts";
import { untilStopped } from "../stopping.ts";
import type { Terminal } from "../terminal.ts";
import type { AddCommand } from "./index.ts";

/** Adds `capstan demo`. */
export const addDemo: AddCommand = (program, terminal) => {
  program
    .command("demo")
    .description("tell a short story of a cluster on a temporary plane, and check every word of it")
    .addHelpText("after", example("capstan demo"))
    .action(async () => {
      await untilStopped((stop) => demo(terminal, stop));
    });
};

const features = { ...defaultFeatureGates, RuntimeSDK: true, ClusterTopology: true };

/** Shorter than any flag allows: nobody wants to watch a demo for five minutes. */
const choices: PlaneChoices = {
  concurrency: { cluster: 10, machine: 10, clusterClass: 2, extensionConfig: 2, dev: 10 },
  syncPeriod: minutes(10),
  watchFilter: "",
  namespace: "",
  features,
  diagnostics: undefined,
  health: undefined,
  remoteConnectionGracePeriod: seconds(2),
  remoteConditionsGracePeriod: seconds(4),
  conditionReasons: "documented",
  extensionConfigReadOnly: false,
  machinePoolsRollOut: true,
  logLevel: "error",
};

const probes = {
  probeInterval: milliseconds(500),
  probeTimeout: seconds(1),
  connectRetryInterval: seconds(1),
  failureThreshold: 2,
};

async function demo(terminal: Terminal, stop: AbortController): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "capstan-demo-"));
  // Things are broken on purpose: what the controllers log about that is told by the story.
  const log = createLogger({
    format: "text",
    level: "error",
    clock: systemClock,
    destination: { write: () => undefined },
  });
  const begun = systemClock.elapsed();
  const took = () => formatDuration(milliseconds(Math.round((systemClock.elapsed() - begun) / 100) * 100));
  const paint = terminal.isColourful === true ? colours : noPaint;
  const settings = { clock: systemClock, log, random: Math.random, uuid: randomUUID, host: "127.0.0.1" };
  await using servers = createWorkloadServers(settings);
  const plugins: Parameters<typeof withServer>[0]["plugins"] = (server) =>
    admissionFor(
      webhooks,
      lookupsFrom(() => createClient(server().transport(), { fieldOwner: "capstan-admission" }), features),
    );
  try {
    await withServer({ data, port: 0, ephemeral: true, log, plugins }, stop, async ({ server, url }) => {
      const client = createClient(server.transport(), { fieldOwner: "capstan" });
      await installKinds(client, stop);
      const plane = { client, log, choices, servers, userAgent: "capstan", clusterCache: probes };
      const { manager, ended } = await startPlane(plane, stop);
      terminal.write(opening(url, took()));
      const users = createClient(server.transport(), { fieldOwner: "demo" });
      const stage = { client: users, manager, write: terminal.write, paint, clock: systemClock, signal: stop.signal };
      const failure = await tellStory(createStage(stage)).then(() => undefined, toError);
      const wasStopped = stop.signal.aborted;
      stop.abort();
      await ended;
      if (wasStopped) throw new DemoError("the demo was stopped before its end");
      if (failure !== undefined) throw failure;
    });
  } finally {
    await rm(data, { recursive: true, force: true });
  }
  terminal.write(`\nEverything that was promised happened, in ${took()}.\n`);
}

function opening(url: string, took: string): string {
  return `A whole plane runs at ${url} after ${took}: API server, Cluster API kinds, controllers, a development provider.
It lives in memory and is gone after the demo. Times are short here, so that you need not wait: workload clusters
are probed every ${formatDuration(probes.probeInterval)}, and a silent one is given ${formatDuration(choices.remoteConditionsGracePeriod)} (as in Cluster API: 10s and 5m0s).
`;
}
