import { homedir } from "node:os";
import { createClient, createHttpTransport, isAlreadyExists, loadConnection } from "capstan/client";
import { createLogger, createManager, systemClock } from "capstan/control";
import { Website, website } from "./website.ts";

// Runs the reconciler of website.ts on the cluster of your kubeconfig, until Ctrl-C.
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

using transport = createHttpTransport(await loadConnection({ environment: process.env, home: homedir() }));
const client = createClient(transport, { fieldOwner: "website-manager" });
const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
await client.create(definitions, Website.crd()).catch((error: unknown) => {
  if (!isAlreadyExists(error)) throw error;
});

const log = createLogger({ format: "text", level: "info", clock: systemClock, destination: process.stderr });
await createManager({ client, log }).add(website, {}).run({ signal: stop.signal });
