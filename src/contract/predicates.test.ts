import { describe, expect, test } from "vitest";
import type { KubeObject, ObjectMeta } from "#machinery";
import { every, type ObjectEvent, resourceHasFilterLabel, resourceIsChanged, resourceNotPaused } from "./predicates.ts";

const paused = anObject({ annotations: { "cluster.x-k8s.io/paused": "true" } });
const running = anObject({});

test.each(["", "true", "false"])("an object is paused by the annotation with the value %j", (value) => {
  const object = anObject({ annotations: { "cluster.x-k8s.io/paused": value } });
  expect(eventsOf(object, running).map(resourceNotPaused)).toEqual([false, false, false, false]);
});

test("an object without the annotation is not paused, whatever it was before", () => {
  expect(eventsOf(running, paused).map(resourceNotPaused)).toEqual([true, true, true, true]);
});

describe("resourceHasFilterLabel", () => {
  const labelled = anObject({ labels: { "cluster.x-k8s.io/watch-filter": "mine" } });

  test("without a value everything passes", () => {
    expect(eventsOf(running, labelled).map(resourceHasFilterLabel(""))).toEqual([true, true, true, true]);
  });

  test("with a value only objects with that label pass", () => {
    expect(eventsOf(labelled, running).map(resourceHasFilterLabel("mine"))).toEqual([true, true, true, true]);
    expect(eventsOf(labelled, running).map(resourceHasFilterLabel("other"))).toEqual([false, false, false, false]);
    expect(eventsOf(running, labelled).map(resourceHasFilterLabel("mine"))).toEqual([false, false, false, false]);
  });
});

test("a change that changed nothing is no change", () => {
  const [before, after] = [anObject({ resourceVersion: "1" }), anObject({ resourceVersion: "2" })];
  expect(eventsOf(after, before).map(resourceIsChanged)).toEqual([true, true, true, true]);
  expect(eventsOf(after, after).map(resourceIsChanged)).toEqual([true, false, true, true]);
});

test("every predicate has to hold, and none always holds", () => {
  const event: ObjectEvent = { kind: "deleted", object: paused };
  expect(every([])(event)).toBe(true);
  expect(every([() => true, resourceNotPaused])(event)).toBe(false);
});

function anObject(metadata: ObjectMeta): KubeObject {
  return { apiVersion: "a.io/v1", kind: "A", metadata };
}

function eventsOf(object: KubeObject, before: KubeObject): readonly ObjectEvent[] {
  return [
    { kind: "added", object, initial: false },
    { kind: "changed", before, object, resync: false },
    { kind: "deleted", object },
    { kind: "generic", object },
  ];
}
