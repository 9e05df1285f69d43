import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import { createLogger, systemClock } from "#base";
import { createClient, createHttpTransport, loadConnection } from "#client";
import type { LeaderElectionOptions } from "#control";
import { createWorkloadServers } from "#providers";
import { example } from "../example.ts";
import { tuneEngine } from "../engine.ts";
import { addPlaneFlags, type PlaneFlags, readPlaneFlags } from "../plane/plane-flags.ts";
import { startPlane } from "../plane/run-plane.ts";
import { addWebhookFlags, type WebhookFlags, webhookServing } from "../plane/webhook-flags.ts";
import { untilAborted } from "../server.ts";
import { untilStopped } from "../stopping.ts";
import type { Terminal } from "../terminal.ts";
import type { AddCommand } from "./index.ts";

interface ManagerOptions extends PlaneFlags, WebhookFlags {
  readonly kubeconfig?: string;
  readonly leaderElect?: boolean;
  readonly leaderElectNamespace: string;
  readonly devProvider: boolean;
}

/** Adds `capstan manager`. */
export const addManager: AddCommand = (program, terminal) => {
  const command = program
    .command("manager")
    .description("run the controllers against an API server that is there already, such as a real Kubernetes")
    .option("--kubeconfig <file>", "how the server is reached; as kubectl finds it unless told")
    .option("--leader-elect", "of several managers only one acts at a time")
    .option("--leader-elect-namespace <name>", "where the Lease of the leader lives", "default")
    .option("--no-dev-provider", "leave DevClusters and DevMachines to another manager");
  addWebhookFlags(addPlaneFlags(command))
    .addHelpText(
      "after",
      example("capstan install --kubeconfig k.yaml", "capstan manager --kubeconfig k.yaml --leader-elect"),
    )
    .action(async (options: ManagerOptions) => {
      tuneEngine();
      await untilStopped((stop) => manage(options, terminal, stop));
    });
};

async function manage(options: ManagerOptions, terminal: Terminal, stop: AbortController): Promise<void> {
  const choices = readPlaneFlags(options);
  const { kubeconfig } = options;
  const destination = { write: terminal.writeError };
  const log = createLogger({ format: "text", level: choices.logLevel, clock: systemClock, destination });
  const connection = await loadConnection({
    environment: process.env,
    home: homedir(),
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
  });
  using transport = createHttpTransport(connection, { userAgent: "capstan" });
  const client = createClient(transport, { fieldOwner: "capstan" });
  await using servers = createWorkloadServers({
    clock: systemClock,
    log,
    random: Math.random,
    uuid: randomUUID,
    host: "127.0.0.1",
  });
  const webhooks = webhookServing(options, { client, log, features: choices.features });
  const { ended } = await startPlane(
    {
      client,
      log,
      choices,
      userAgent: "capstan",
      ...(webhooks === undefined ? {} : { webhooks }),
      ...(options.devProvider ? { servers } : {}),
      ...(options.leaderElect === true ? { leaderElection: electionOf(options) } : {}),
    },
    stop,
  );
  terminal.write("the controllers work\n");
  await Promise.race([untilAborted(stop.signal), ended]);
  stop.abort();
  await ended;
}

function electionOf({ leaderElectNamespace: namespace }: ManagerOptions): LeaderElectionOptions {
  return { namespace, name: "capstan-leader-election", identity: `${hostname()}_${randomUUID()}` };
}
