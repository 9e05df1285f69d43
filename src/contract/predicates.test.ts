import { describe, expect, test } from "vitest";
import type { CacheChange } from "#control";
import type { KubeObject, ObjectMeta } from "#machinery";
import { resourceHasFilterLabel, resourceNotPaused } from "./predicates.ts";

const paused = anObject({ annotations: { "cluster.x-k8s.io/paused": "true" } });
const running = anObject({});

describe("resourceNotPaused", () => {
  test.each(["", "true", "false"])("an object is paused by the annotation with the value %j", (value) => {
    const object = anObject({ annotations: { "cluster.x-k8s.io/paused": value } });
    expect(changesTo(object, running).map(resourceNotPaused)).toEqual([false, false, false, false]);
  });

  test("an object without the annotation is not paused, whatever it was before", () => {
    expect(changesTo(running, paused).map(resourceNotPaused)).toEqual([true, true, true, true]);
  });
});

describe("resourceHasFilterLabel", () => {
  const labelled = anObject({ labels: { "cluster.x-k8s.io/watch-filter": "mine" } });

  test("without a value everything passes", () => {
    expect(changesTo(running, labelled).map(resourceHasFilterLabel(""))).toEqual([true, true, true, true]);
  });

  test("with a value only objects with that label pass", () => {
    expect(changesTo(labelled, running).map(resourceHasFilterLabel("mine"))).toEqual([true, true, true, true]);
    expect(changesTo(labelled, running).map(resourceHasFilterLabel("other"))).toEqual([false, false, false, false]);
    expect(changesTo(running, labelled).map(resourceHasFilterLabel("mine"))).toEqual([false, false, false, false]);
  });
});

function anObject(metadata: ObjectMeta): KubeObject {
  return { apiVersion: "a.io/v1", kind: "A", metadata };
}

function changesTo(object: KubeObject, before: KubeObject): readonly CacheChange[] {
  return [
    { kind: "added", object, initial: false },
    { kind: "changed", before, object, resync: false },
    { kind: "changed", before, object, resync: true },
    { kind: "deleted", object },
  ];
}
