import { readFileSync } from "node:fs";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { root } from "../root.ts";

// A server that does as little as possible, in a process of its own, so that what is measured is the client.
const machine = JSON.stringify({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: {
    name: "machine-1",
    namespace: "default",
    uid: "00000000-0000-4000-8000-000000000000",
    resourceVersion: "12345",
    creationTimestamp: "2026-01-01T00:00:00Z",
    labels: { "cluster.x-k8s.io/cluster-name": "cluster-1" },
  },
  spec: { clusterName: "cluster-1", version: "v1.34.0", providerID: "dev://1" },
  status: {
    conditions: Array.from({ length: 10 }, (_, index) => ({
      type: `Condition${index}`,
      status: "True",
      reason: "Ready",
      message: "",
      observedGeneration: 1,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    })),
  },
});
const event = `{"type":"MODIFIED","object":${machine}}\n`;
const eventsPerWatch = 100_000;

const fixture = (name: string) => readFileSync(join(root, "test/fixtures/tls", name), "utf8");
const server = createSecureServer({
  allowHTTP1: true,
  cert: fixture("server.crt"),
  key: fixture("server.key"),
  settings: { maxConcurrentStreams: 250 },
});
server.on("stream", (stream, headers) => {
  stream.on("error", () => undefined);
  stream.respond({ ":status": 200, "content-type": "application/json" });
  if (headers[":path"]?.includes("watch=true") === true) void sendEvents(stream);
  else stream.end(machine);
});
server.on("request", (request, response) => {
  if (request.httpVersionMajor === 1) response.end(machine);
});
server.listen(0, "127.0.0.1", () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  process.send?.({ port });
});
process.once("disconnect", () => process.exit());

async function sendEvents(stream: ServerHttp2Stream): Promise<void> {
  const batch = event.repeat(50);
  for (let sent = 0; sent < eventsPerWatch; sent += 50)
    if (!stream.write(batch)) await new Promise((resolve) => stream.once("drain", resolve));
  stream.end();
}
