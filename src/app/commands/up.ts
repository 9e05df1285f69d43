import { rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import { createLogger, systemClock } from "#base";
import { createClient } from "#client";
import { reviewAuthorizer } from "#control";
import { createWorkloadServers } from "#providers";
import { admissionFor, webhooks } from "#webhooks";
import { example } from "../example.ts";
import { tuneEngine } from "../engine.ts";
import { installKinds } from "../plane/install-kinds.ts";
import { lookupsFrom } from "../plane/lookups.ts";
import { addPlaneFlags, type PlaneFlags, readPlaneFlags } from "../plane/plane-flags.ts";
import { diagnosticsFile } from "../plane/reach-plane.ts";
import { startPlane } from "../plane/run-plane.ts";
import { quickstartFrom } from "../quickstart.ts";
import { untilAborted, withServer } from "../server.ts";
import { untilStopped } from "../stopping.ts";
import type { Terminal } from "../terminal.ts";
import {
  addWebhookService,
  webhookServiceFlag,
  webhookServiceHelp,
  type WebhookServices,
} from "../webhook-services.ts";
import type { AddCommand } from "./index.ts";
import { portOf } from "./serve.ts";

interface UpOptions extends PlaneFlags {
  readonly data: string;
  readonly port: string;
  readonly ephemeral?: boolean;
  readonly webhookService?: WebhookServices;
}

/** Kinds that are served, and that nothing works on yet. */
const withoutController = [
  "MachineDeployment",
  "MachineSet",
  "MachinePool",
  "MachineHealthCheck",
  "ClusterResourceSet",
];

/** Where the last passes are served unless told otherwise: on any port that is free. */
const onLoopback = { host: "127.0.0.1", port: 0 };

/** Adds `capstan up`. */
export const addUp: AddCommand = (program, terminal) => {
  const command = program
    .command("up")
    .description("run the whole plane: API server, Cluster API kinds, controllers and a development provider")
    .option("-d, --data <folder>", "the data folder, made if it is not there", join(homedir(), ".capstan"))
    .option("-p, --port <number>", "the port on the loopback; 0 takes any that is free", "6443")
    .option("--ephemeral", "keep objects in memory alone: they are gone when it stops")
    .option(webhookServiceFlag, webhookServiceHelp, addWebhookService);
  addPlaneFlags(command)
    .addHelpText(
      "after",
      example("capstan up", `kubectl --kubeconfig ~/.capstan/kubeconfig apply -f ${quickstartFrom(process.cwd())}`),
    )
    .action(async (options: UpOptions) => {
      tuneEngine();
      await untilStopped((stop) => up(options, terminal, stop));
    });
};

async function up(options: UpOptions, terminal: Terminal, stop: AbortController): Promise<void> {
  const flags = readPlaneFlags(options);
  const choices = { ...flags, diagnostics: flags.diagnostics ?? onLoopback };
  const { data, ephemeral = false } = options;
  const destination = { write: terminal.writeError };
  const log = createLogger({ format: "text", level: choices.logLevel, clock: systemClock, destination });
  const begun = systemClock.elapsed();
  await using servers = createWorkloadServers({
    clock: systemClock,
    log,
    random: Math.random,
    uuid: randomUUID,
    host: "127.0.0.1",
  });
  await withServer(
    {
      data,
      port: portOf(options.port),
      ephemeral,
      log,
      webhookServices: options.webhookService,
      plugins: (server) => {
        const client = () => createClient(server().transport(), { fieldOwner: "capstan-admission" });
        return admissionFor(webhooks, lookupsFrom(client, choices.features));
      },
    },
    stop,
    async ({ server, url, kubeconfig }) => {
      const client = createClient(server.transport(), { fieldOwner: "capstan" });
      await installKinds(client, { signal: stop.signal });
      const token = randomUUID();
      const review = reviewAuthorizer(client);
      const { ended, diagnosticsPort } = await startPlane(
        {
          client,
          log,
          choices,
          servers,
          userAgent: "capstan",
          authorize: (request) => (request.token === token ? Promise.resolve("allowed") : review(request)),
        },
        stop,
      );
      await tellDiagnostics(kubeconfig, { url: `http://127.0.0.1:${diagnosticsPort ?? 0}`, token });
      const took = ((systemClock.elapsed() - begun) / 1000).toFixed(1);
      const program = terminal.program?.() ?? "capstan";
      terminal.write(welcome({ url, kubeconfig, took, ephemeral, program }));
      await Promise.race([untilAborted(stop.signal), ended]);
      stop.abort();
      await ended;
    },
  );
}

/** Whoever may read the kubeconfig may ask what the last passes saw: `capstan explain` does. */
async function tellDiagnostics(
  kubeconfig: string,
  content: { readonly url: string; readonly token: string },
): Promise<void> {
  const file = join(dirname(kubeconfig), diagnosticsFile);
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

interface Welcome {
  readonly url: string;
  readonly kubeconfig: string;
  readonly took: string;
  readonly ephemeral: boolean;
  readonly program: string;
}

function welcome({ url, kubeconfig, took, ephemeral, program }: Welcome): string {
  return `the plane is up after ${took} s
  API server   ${url}
  kubeconfig   ${kubeconfig}

what to type next, in another terminal:
  export KUBECONFIG=${kubeconfig}
  kubectl apply -f ${quickstartFrom(process.cwd())}
  kubectl get clusters,machines -A -w
  ${program} describe cluster quickstart
  ${program} explain cluster/quickstart

no controller yet for ${withoutController.join(", ")}
Ctrl-C ends it; ${ephemeral ? "nothing is kept" : "everything is kept for the next time"}.
`;
}
