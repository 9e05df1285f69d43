import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { KubeObject } from "#machinery";
import { Node } from "#workload";
import { openForeignServer } from "./foreign-servers.ts";
import { openWorkloadServer } from "./workload-server.ts";
import { clusterKey, openWorld, type World } from "./world.ts";

const mebibyte = 1024 * 1024;
const limits = {
  mostAnswerBytes: 4 * mebibyte,
  mostBytesAtOnce: 6 * mebibyte,
  mostEventBytes: mebibyte,
  mostObjects: 50,
};
const nodes = { group: "", version: "v1", resource: "nodes" };
const served = JSON.stringify({ kind: "APIResourceList", apiVersion: "v1", resources: [{ name: "nodes" }] });

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Looks like Kubernetes at first. */
const seemingly =
  (worse: Answer): Answer =>
  (request, response) => {
    if (request.url === "/") response.end("{}");
    else if (request.url === "/api/v1") response.end(served);
    else worse(request, response);
  };

const hostile: Readonly<Record<string, { readonly answer: Answer; readonly said: string }>> = {
  "drips bytes": { answer: drip, said: "the probe took longer than" },
  "answers a probe without end": { answer: flood("x"), said: "the answer is larger than 1048576 bytes" },
  "answers a question without end": {
    answer: (request, response) => (request.url === "/" ? response.end("{}") : flood("[")(request, response)),
    said: "the answer is larger than 4194304 bytes",
  },
  "answers a watch without end": {
    answer: seemingly(flood('{"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"')),
    said: "error when waiting for cache to sync",
  },
  "has Nodes without end": { answer: seemingly(endlessNodes), said: "the cluster has more than 50 nodes" },
  "lists pages without end": { answer: seemingly(endlessPages), said: "the cluster has more than 50 nodes" },
  "breaks off": { answer: (request) => void request.socket.destroy(), said: "cluster is not reachable" },
  "answers nonsense": {
    answer: seemingly((_request, response) => response.end("42")),
    said: "a line of the watch is not an event",
  },
  "never answers": { answer: () => undefined, said: "the probe took longer than" },
};

test.each(Object.entries(hostile))("a cluster that %s costs only itself", async (_what, { answer, said }) => {
  await using world = openWorld({ limits });
  await using good = await openWorkloadServer();
  let sent = 0;
  await using bad = await openForeignServer(good.pki.serving(), (request, response) => {
    request.socket.once("close", () => (sent += request.socket.bytesWritten));
    answer(request, response);
  });
  world.put("good", good.kubeconfig());
  await world.pass(1);
  const woken = watchNodes(world);

  await using front = await openWorkloadServer({ pki: good.pki });
  await front.front.behave({ kind: "passes", to: bad.port });
  world.put("bad", front.kubeconfig());
  await good.transport.create(nodes, aNode("n1"));
  await woken("n1");
  await world.pass(1);

  expect(world.cache.isConnected(clusterKey("bad"))).toBe(false);
  expect(world.cache.healthOf(clusterKey("bad")).consecutiveFailures).toBe(1);
  expect(world.lines.join("")).toContain(said);
  expect(world.cache.isConnected(clusterKey("good"))).toBe(true);
  expect(world.cache.healthOf(clusterKey("good")).consecutiveFailures).toBe(0);
  // Nothing of it stays behind, and of what it would have sent only little was taken.
  await front.front.close();
  expect(sent).toBeLessThan(40 * mebibyte);
});

test("a cluster that grows beyond all bounds is let go", async () => {
  await using world = openWorld({ limits });
  await using server = await openWorkloadServer();
  world.put("c", server.kubeconfig());
  await world.pass(1);
  const woken = watchNodes(world, "c");
  for (let count = 0; count < 50; count++) await server.transport.create(nodes, aNode(`n${count}`));
  await woken("n49");
  expect(world.cache.isConnected(clusterKey("c"))).toBe(true);
  await server.transport.create(nodes, aNode("n50"));
  for (let tries = 0; world.cache.isConnected(clusterKey("c")) && tries < 1_000; tries++) await turn();
  await world.pass(1);
  expect(world.cache.isConnected(clusterKey("c"))).toBe(false);
  expect(world.lines.join("")).toContain("the cluster has more than 50 nodes");
  await server.transport.delete(nodes, { name: "n0" });
  await world.pass(30);
  expect(world.cache.isConnected(clusterKey("c"))).toBe(true);
});

/** Resolves when a Node of this name has been told of. */
function watchNodes({ cache }: World, cluster = "good") {
  const told = new Set<string>();
  let onTold = (): void => undefined;
  cache.watch(clusterKey(cluster), {
    name: "test",
    kind: Node,
    onChange: ({ object }) => {
      told.add(object.metadata.name ?? "");
      onTold();
    },
  });
  return (name: string) =>
    new Promise<void>((resolve) => {
      onTold = () => (told.has(name) ? resolve() : undefined);
      onTold();
    });
}

function aNode(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Node", metadata: { name } };
}

function drip(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write(" "), 50);
  response.once("close", () => clearInterval(timer));
}

function flood(text: string): Answer {
  const chunk = text.repeat(Math.ceil(65_536 / text.length));
  return (_request, response) => {
    const more = (): void => {
      while (response.write(chunk)) if (response.destroyed) return;
    };
    response.on("drain", more).on("error", () => undefined);
    more();
  };
}

function endlessNodes(_request: IncomingMessage, response: ServerResponse): void {
  let count = 0;
  const more = (): void => {
    do count++;
    while (!response.destroyed && response.write(`${JSON.stringify({ type: "ADDED", object: aNode(`n${count}`) })}\n`));
  };
  response.on("drain", more).on("error", () => undefined);
  more();
}

function endlessPages(request: IncomingMessage, response: ServerResponse): void {
  if (request.url?.includes("watch=true") === true) {
    response.writeHead(400);
    response.end("no");
    return;
  }
  const items = Array.from({ length: 20 }, (_, index) => aNode(`n${index}`));
  response.end(JSON.stringify({ kind: "NodeList", apiVersion: "v1", metadata: { continue: "more" }, items }));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
