import { readFileSync } from "node:fs";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { root } from "../root.ts";

/** What the process of the bench asks of this one. */
export type ServersCommand =
  | { readonly kind: "open"; readonly clusters: number; readonly nodes: number; readonly blackHoles: number }
  /** Every cluster changes one Node so often, waiting so long in between. */
  | { readonly kind: "change"; readonly clusters: number; readonly times: number; readonly everyMs: number }
  /** Whether every answer is a 500 from now on. */
  | { readonly kind: "sicken"; readonly isSick: boolean };

/** What this process answers. */
export type ServersAnswer =
  | { readonly kind: "opened"; readonly ports: readonly number[]; readonly blackHoles: readonly number[] }
  | { readonly kind: "done" };

// Workload clusters that do as little as possible, in a process of their own: what is measured is who looks at them.
const fixture = (name: string) => readFileSync(join(root, "test/fixtures/tls", name), "utf8");
const tls = { cert: fixture("server.crt"), key: fixture("server.key") };
const resources = JSON.stringify({ kind: "APIResourceList", apiVersion: "v1", resources: [{ name: "nodes" }] });
const watches = new Map<number, Set<ServerHttp2Stream>>();
const streams = new Set<ServerHttp2Stream>();
let revision = 1000;
let isSick = false;

process.on("message", (command: ServersCommand) => void obey(command));
process.once("disconnect", () => process.exit());

async function obey(command: ServersCommand): Promise<void> {
  switch (command.kind) {
    case "open": {
      const ports = await openAll(command.clusters, (cluster) => openCluster(cluster, command.nodes));
      const blackHoles = await openAll(command.blackHoles, openBlackHole);
      answer({ kind: "opened", ports, blackHoles });
      return;
    }
    case "change":
      await change(command);
      answer({ kind: "done" });
      return;
    case "sicken":
      ({ isSick } = command);
      if (isSick) for (const stream of streams) stream.close();
      answer({ kind: "done" });
  }
}

function answer(message: ServersAnswer): void {
  process.send?.(message);
}

async function openAll(count: number, open: (index: number) => Promise<number>): Promise<readonly number[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => open(index)));
}

async function openCluster(cluster: number, nodes: number): Promise<number> {
  const server = createSecureServer({ ...tls, settings: { maxConcurrentStreams: 250 } });
  const listeners = new Set<ServerHttp2Stream>();
  watches.set(cluster, listeners);
  server.on("stream", (stream, headers) => {
    streams.add(stream);
    stream.on("error", () => undefined).once("close", () => streams.delete(stream));
    const path = headers[":path"] ?? "";
    stream.respond({ ":status": isSick ? 500 : 200, "content-type": "application/json" });
    if (isSick) stream.end("{}");
    else if (path.includes("watch=true")) startWatch(stream, listeners, nodes);
    else stream.end(path.startsWith("/api/v1") ? resources : "{}");
  });
  return await listening(server);
}

function startWatch(stream: ServerHttp2Stream, listeners: Set<ServerHttp2Stream>, nodes: number): void {
  listeners.add(stream);
  stream.once("close", () => listeners.delete(stream));
  for (let index = 0; index < nodes; index++) stream.write(eventOf("ADDED", index));
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = { resourceVersion: String(revision), annotations };
  stream.write(`${JSON.stringify({ type: "BOOKMARK", object: { kind: "Node", apiVersion: "v1", metadata } })}\n`);
}

/** Accepts everybody and says nothing. */
async function openBlackHole(): Promise<number> {
  const server = createServer((socket) => socket.on("error", () => undefined).pause());
  return await listening(server);
}

async function listening(server: Http2SecureServer | ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  return (server.address() as AddressInfo).port;
}

async function change({ clusters, times, everyMs }: Extract<ServersCommand, { kind: "change" }>): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (let cluster = 0; cluster < clusters; cluster++) {
      for (const stream of watches.get(cluster) ?? [])
        if (!stream.write(eventOf("MODIFIED", 0))) await new Promise((resolve) => stream.once("drain", resolve));
    }
    await new Promise((resolve) => (everyMs === 0 ? setImmediate(resolve) : setTimeout(resolve, everyMs)));
  }
}

// What changes from event to event is put into a text that is made once.
const template = JSON.stringify({
  type: "TYPE",
  object: {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: "node-INDEX",
      uid: "00000000-0000-4000-8000-000000000000",
      resourceVersion: "REVISION",
      labels: Object.fromEntries(Array.from({ length: 10 }, (_, label) => [`example.com/label-${label}`, "value"])),
      annotations: { sent: "SENT" },
    },
    spec: { providerID: "dev://INDEX" },
    status: {
      conditions: ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({
        type,
        status: type === "Ready" ? "True" : "False",
        lastHeartbeatTime: "2026-01-01T00:00:00Z",
        lastTransitionTime: "2026-01-01T00:00:00Z",
        reason: "KubeletReady",
        message: "kubelet is posting ready status",
      })),
      images: Array.from({ length: 50 }, (_, image) => ({
        names: [`registry.example/image-${image}@sha256:${"0".repeat(64)}`, `registry.example/image-${image}:v1.0.0`],
        sizeBytes: 100_000_000 + image,
      })),
    },
  },
});

/** A Node of the size that Nodes have, with the time at which it is sent. */
function eventOf(type: string, index: number): string {
  const event = template
    .replace("TYPE", type)
    .replaceAll("INDEX", String(index))
    .replace("REVISION", String(++revision))
    .replace("SENT", String(performance.timeOrigin + performance.now()));
  return `${event}\n`;
}
