import { expect, test } from "vitest";
import { ApiError, type KubeObject, type Transport, type WatchEvent } from "#machinery";
import { UnusableClusterError } from "../errors.ts";
import { limitObjects } from "./object-limit.ts";

const nodes = { group: "", version: "v1", resource: "nodes" };
const aNode = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Node", metadata: { name }, big: "x" });
const added = (name: string): WatchEvent => ({ kind: "added", object: aNode(name) });

function limited(pages: readonly (readonly string[])[], events: readonly WatchEvent[] = [], refusal?: Error) {
  const failures: unknown[] = [];
  const transport: Pick<Transport, "list" | "watch"> = {
    async list(_resource, options = {}) {
      if (refusal !== undefined) throw refusal;
      const index = Number(options.continue ?? "0");
      const next = index + 1 < pages.length ? { continue: String(index + 1) } : {};
      const items = (pages[index] ?? []).map(aNode);
      return await Promise.resolve({ apiVersion: "v1", kind: "NodeList", metadata: next, items });
    },
    async *watch() {
      if (refusal !== undefined) throw refusal;
      yield* events;
    },
  };
  const keep = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({ apiVersion, kind, metadata });
  return { failures, follows: limitObjects(transport, { most: 3, keep, onFailure: (error) => failures.push(error) }) };
}

async function eventsOf(events: AsyncIterable<WatchEvent>): Promise<number> {
  const told: WatchEvent[] = [];
  for await (const event of events) told.push(event);
  expect(JSON.stringify(told)).not.toContain("big");
  return told.length;
}

test("as many objects as are allowed are listed, without what nobody reads", async () => {
  const { follows, failures } = limited([["a", "b"], ["c"]]);
  for (const page of [{}, { continue: "1" }, {}, { continue: "1" }])
    expect((await follows.list(nodes, page)).items[0]).not.toHaveProperty("big");
  expect(failures).toEqual([]);
});

test("one page too many is an error, before it is kept", async () => {
  const { follows, failures } = limited([
    ["a", "b"],
    ["c", "d"],
  ]);
  await follows.list(nodes);
  await expect(follows.list(nodes, { continue: "1" })).rejects.toThrow("the cluster has more than 3 nodes");
  expect(failures).toEqual([expect.any(UnusableClusterError)]);
});

test("events count: what is added, and what goes again", async () => {
  const gone: WatchEvent = { kind: "deleted", object: aNode("a") };
  const changed: WatchEvent = { kind: "modified", object: aNode("b") };
  const bookmark: WatchEvent = { kind: "bookmark", resourceVersion: "1", initialEventsEnd: true };
  const events = [added("a"), added("b"), changed, bookmark, added("c"), gone, added("d")];
  const { follows, failures } = limited([], events);
  expect(await eventsOf(follows.watch(nodes, { sendInitialEvents: true }))).toBe(7);
  expect(failures).toEqual([]);
  await expect(eventsOf(follows.watch(nodes))).rejects.toThrow(UnusableClusterError);
  expect(failures).toHaveLength(1);
});

test("a server that only does not understand how it was asked has not failed", async () => {
  const badRequest = new ApiError({ httpCode: 400, reason: "BadRequest", message: "sendInitialEvents" });
  const odd = limited([], [], badRequest);
  await expect(eventsOf(odd.follows.watch(nodes))).rejects.toBe(badRequest);
  expect(odd.failures).toEqual([]);
  const broken = new Error("reset");
  const failing = limited([], [], broken);
  await expect(eventsOf(failing.follows.watch(nodes))).rejects.toBe(broken);
  await expect(failing.follows.list(nodes)).rejects.toBe(broken);
  expect(failing.failures).toEqual([broken, broken]);
});
