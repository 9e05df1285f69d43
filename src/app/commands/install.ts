import { homedir } from "node:os";
import { createClient, createHttpTransport, loadConnection } from "#client";
import { example } from "../example.ts";
import { installKinds } from "../plane/install-kinds.ts";
import { untilStopped } from "../stopping.ts";
import type { AddCommand } from "./index.ts";

interface InstallOptions {
  readonly kubeconfig?: string;
}

/** Adds `capstan install`. */
export const addInstall: AddCommand = (program, terminal) => {
  program
    .command("install")
    .description("put the Cluster API kinds into an API server, or bring those that are there up to date")
    .option("--kubeconfig <file>", "how the server is reached; as kubectl finds it unless told")
    .addHelpText("after", example("capstan install --kubeconfig ~/.kube/config"))
    .action(async ({ kubeconfig }: InstallOptions) => {
      await untilStopped(async ({ signal }) => {
        const connection = await loadConnection({
          environment: process.env,
          home: homedir(),
          ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
        });
        using transport = createHttpTransport(connection, { userAgent: "capstan-install" });
        const client = createClient(transport, { fieldOwner: "capstan-install" });
        for (const { name, change } of await installKinds(client, { signal })) terminal.write(`${name} ${change}\n`);
      });
    });
};
