import { createLogger, systemClock } from "#base";
import {
  BeforeClusterDelete,
  createExtension,
  createExtensionClient,
  type ExtensionClient,
  proceed,
} from "#extensions";

const cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "c1", namespace: "default" },
  spec: {},
} as const;

/** What a call of an extension costs besides the extension's own work: over HTTPS, and in the same process. */
export async function bench(print: (line: object) => void): Promise<void> {
  const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr });
  const extension = createExtension({ log }).on(BeforeClusterDelete, "guard", () => proceed);
  await using server = await extension.listen({ host: "127.0.0.1" });
  const client = createExtensionClient({
    client: { get: () => Promise.reject(new Error("no namespace is asked for")) },
    log,
    inProcess: { "in-process": extension },
  });
  const configs = {
    https: { url: server.url, caBundle: server.caBundle },
    "in process": { url: "https://in-process" },
  };
  client.warmUp([]);
  for (const [way, clientConfig] of Object.entries(configs)) {
    const config = {
      apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
      kind: "ExtensionConfig",
      metadata: { name: "ext" },
      spec: { clientConfig, namespaceSelector: {} },
    } as const;
    client.register(await client.discover(config));
    await measure(client, { calls: 500, atOnce: 1 });
    for (const atOnce of [1, 32])
      print({ bench: "extensions.call", way, atOnce, ...(await measure(client, { calls: 3_000, atOnce })) });
  }
  client.close();
}

async function measure(
  client: ExtensionClient,
  { calls, atOnce }: { readonly calls: number; readonly atOnce: number },
): Promise<object> {
  let left = calls;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const caller = async (): Promise<void> => {
    while (left-- > 0) await client.call(BeforeClusterDelete, "guard.ext", { cluster });
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    "ms/call": round((seconds * 1000) / calls),
    "CPU ms/call (both sides)": round((user + system) / 1000 / calls),
    "calls/s": Math.round(calls / seconds),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
