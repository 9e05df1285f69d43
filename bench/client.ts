import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createHttpTransport, type HttpTransport } from "#client";

const machines = { group: "cluster.x-k8s.io", version: "v1beta2", resource: "machines" };
const key = { namespace: "default", name: "machine-1" };

/** What calls over TLS cost this process: GETs one by one and many at once, and the events of a watch. */
export async function bench(print: (line: object) => void): Promise<void> {
  const server = fork(fileURLToPath(new URL("../tools/bench/tls-server.js", import.meta.url)));
  try {
    const port = await portOf(server);
    for (const protocols of [["h2"], ["http/1.1"]] as const) {
      const connection = { server: `https://127.0.0.1:${port}`, tls: { insecure: true } };
      using transport = createHttpTransport(connection, { protocols });
      await measureGets(transport, { clients: 1, gets: 1_000 });
      for (const clients of [1, 32]) {
        const cost = await measureGets(transport, { clients, gets: 8_000 });
        print({ bench: "client.get", protocol: protocols[0], clients, ...cost });
      }
      if (protocols[0] === "h2") print({ bench: "client.watch", ...(await measureWatch(transport)) });
    }
  } finally {
    server.disconnect();
  }
}

async function measureGets(
  transport: HttpTransport,
  { clients, gets }: { readonly clients: number; readonly gets: number },
): Promise<object> {
  let left = gets;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (left-- > 0) await transport.get(machines, key);
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { "CPU ms/get": round((user + system) / 1000 / gets), "gets/s": Math.round(gets / seconds) };
}

async function measureWatch(transport: HttpTransport): Promise<object> {
  let events = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  for await (const _ of transport.watch(machines)) events++;
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { events, "events/s": Math.round(events / seconds), "CPU us/event": round((user + system) / events) };
}

function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("message", (message: { readonly port: number }) => resolve(message.port));
    server.once("exit", () => reject(new Error("the server of the bench did not start")));
  });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
