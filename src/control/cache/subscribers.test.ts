import { expect, test } from "vitest";
import type { KubeObject } from "#machinery";
import type { CacheChange } from "./kind-cache.ts";
import { Subscribers } from "./subscribers.ts";

const widget = (name: string): KubeObject => ({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name } });
const added = (name: string): CacheChange => ({ kind: "added", object: widget(name), initial: false });

function recorder() {
  const seen: string[] = [];
  const listener = ({ kind, object }: CacheChange): void => void seen.push(`${kind} ${object.metadata.name}`);
  return { seen, listener, stop: new AbortController() };
}

test("a subscriber is told what is there, then what changes, until its signal ends it", () => {
  const subscribers = new Subscribers<KubeObject>(() => undefined);
  const { seen, listener, stop } = recorder();
  subscribers.tell(added("a"));
  subscribers.add(listener, { signal: stop.signal, present: [widget("a")] });
  subscribers.tell(added("b"));
  stop.abort();
  subscribers.tell(added("c"));
  expect(seen).toEqual(["added a", "added b"]);
});

test("a subscriber that throws disturbs no other, and is told of what comes next", () => {
  const errors: unknown[] = [];
  const subscribers = new Subscribers<KubeObject>((error) => errors.push(error));
  const { seen, listener, stop } = recorder();
  const failing = ({ object }: CacheChange): void => {
    throw new Error(`no ${object.metadata.name}`);
  };
  subscribers.add(failing, { signal: stop.signal, present: [] });
  subscribers.add(listener, { signal: stop.signal, present: [] });
  subscribers.tell(added("a"));
  subscribers.tell(added("b"));
  expect(seen).toEqual(["added a", "added b"]);
  expect(errors.map(String)).toEqual(["Error: no a", "Error: no b"]);
});

test("what a subscriber changes is told to all in the same order", () => {
  const subscribers = new Subscribers<KubeObject>(() => undefined);
  const { seen, listener, stop } = recorder();
  const answering = ({ object }: CacheChange): void => {
    if (object.metadata.name === "a") subscribers.tell(added("b"));
  };
  subscribers.add(answering, { signal: stop.signal, present: [] });
  subscribers.add(listener, { signal: stop.signal, present: [] });
  subscribers.tell(added("a"));
  expect(seen).toEqual(["added a", "added b"]);
});

test("who subscribes while others are told hears of nothing twice and misses nothing", () => {
  const subscribers = new Subscribers<KubeObject>(() => undefined);
  const { seen, listener, stop } = recorder();
  const { signal } = stop;
  const inviting = ({ object }: CacheChange): void => {
    if (object.metadata.name === "a") subscribers.add(listener, { signal, present: [widget("a")] });
  };
  subscribers.add(inviting, { signal, present: [] });
  subscribers.tell(added("a"));
  subscribers.tell(added("b"));
  expect(seen).toEqual(["added a", "added b"]);
});

test("what changes while a subscriber is told what is there comes after that", () => {
  const subscribers = new Subscribers<KubeObject>(() => undefined);
  const { seen, listener, stop } = recorder();
  const both = (change: CacheChange): void => {
    listener(change);
    if (change.object.metadata.name === "a") subscribers.tell(added("c"));
  };
  subscribers.add(both, { signal: stop.signal, present: [widget("a"), widget("b")] });
  expect(seen).toEqual(["added a", "added b", "added c"]);
});
