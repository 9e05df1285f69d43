import { ClusterClass, DevClusterTemplate } from "#api";
import { tuneEngine } from "#app";
import { createLogger, systemClock } from "#base";
import { createClient } from "#client";
import { apiReader, runPass } from "#control";
import { createExtensionClient, type ExtensionClient } from "#extensions";
import { clusterClass } from "#reconcilers/clusterclass";
import { openEmbeddedServer } from "#testkit";
import { measured } from "./cpu.ts";
import { answerOf, handlerName, key, largeClass, numbers, patchCount, template } from "./large-class.ts";

// Reconciles a large class again and again in a process of its own, with its API server in the process, and prints what
// each pass took in milliseconds of CPU: `class-passes.js inline`, `discovered`, or `discovered URL CA-BUNDLE` for answers
// over HTTPS. Extensions answer anew in half of the passes, and from the cache in the others.
const passes = 11;
const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr });
const [source, url, caBundle] = process.argv.slice(2);

tuneEngine();
await using server = await openEmbeddedServer({ kinds: [ClusterClass, DevClusterTemplate] });
const client = createClient(server.transport, { fieldOwner: "bench" });
await client.create(DevClusterTemplate, template);
await client.create(ClusterClass, largeClass(source === "inline" ? "inline" : "discovered"));

// The first pass only reports that the class is not paused.
await pass(await connected());
const fresh: number[] = [];
for (const _ of numbers(passes)) fresh.push(await pass(await connected()));
const kept: number[] = [];
const extensions = await connected();
for (const _ of numbers(passes + 1)) kept.push(await pass(extensions));
console.log(JSON.stringify({ fresh, kept: kept.slice(1) }));
process.exit();

async function pass(extensionClient: Pick<ExtensionClient, "call">): Promise<number> {
  const tools = {
    clock: systemClock,
    log,
    client,
    reader: apiReader(client),
    eventsAbout: () => ({ record: () => {} }),
    watch: () => Promise.resolve(),
    reconcileId: "bench",
    signal: new AbortController().signal,
    spelling: "documented",
    random: () => 0.5,
    ports: { runtimeSDK: true, extensions: extensionClient },
  } as const;
  const { cpu } = await measured(async () => {
    const { next } = await runPass(clusterClass, key, tools);
    if (next.kind === "retry") throw next.error;
  });
  return cpu * 1000;
}

/** Whoever has no answers yet: a client of the extension, or one that has it at hand. */
async function connected(): Promise<Pick<ExtensionClient, "call">> {
  if (url === undefined || caBundle === undefined) return answering();
  const extensionClient = createExtensionClient({ client, log, clock: systemClock });
  extensionClient.warmUp([]);
  const config = {
    apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
    kind: "ExtensionConfig",
    metadata: { name: "ext" },
    spec: { clientConfig: { url, caBundle }, namespaceSelector: {} },
  } as const;
  extensionClient.register(await extensionClient.discover(config));
  return extensionClient;
}

/** Answers at once, and every question of a kind with the same answer, as the cache of a client does. */
function answering(): Pick<ExtensionClient, "call"> {
  const answers = new Map(
    numbers(patchCount).map((patch) => [
      `${handlerName(patch)}.ext`,
      { status: "Success", message: "", variables: answerOf(patch) },
    ]),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only variables are asked for
  return { call: (_hook, handler) => Promise.resolve(answers.get(handler) as never) };
}
