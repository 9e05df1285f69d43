import { describe, expect, test } from "vitest";
import type { KubeObject } from "#machinery";
import { HeldObjects } from "./held-objects.ts";
import type { CacheChange } from "./kind-cache.ts";
import { type Listed, Replica } from "./replica.ts";

function widget(
  name: string,
  revision: number,
  uid = name,
  labels: Record<string, string> = { kept: "yes" },
): KubeObject {
  const metadata = { namespace: "n", name, uid, resourceVersion: String(revision), labels };
  return { apiVersion: "example.com/v1", kind: "Widget", metadata };
}

/** A replica of those widgets that are labelled `kept`, and what it tells. */
function openReplica() {
  const held = new HeldObjects<KubeObject>(() => undefined);
  const told: string[] = [];
  const replica = new Replica<KubeObject>({
    held,
    enter: (object) => object,
    isSelected: ({ metadata }) => metadata.labels?.["kept"] === "yes",
    tell: (change) => told.push(brief(change)),
  });
  const listed = (revision: number, objects: readonly KubeObject[], rest: Partial<Listed> = {}): void =>
    replica.listed({ objects, revision: String(revision), namespace: "", initial: false, isSetBack: false, ...rest });
  const state = (): readonly string[] =>
    held.all().map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`);
  return { replica, listed, told, state };
}

function brief(change: CacheChange): string {
  const { uid, resourceVersion } = change.object.metadata;
  const initially = change.kind === "added" && change.initial ? " initially" : "";
  return `${change.kind} ${uid} ${resourceVersion}${initially}`;
}

describe("what the server tells", () => {
  test("what is listed first was there, what comes later is new", () => {
    const { replica, listed, told } = openReplica();
    listed(5, [widget("a", 3)], { initial: true });
    replica.changed(widget("b", 6));
    replica.changed(widget("a", 7));
    replica.deleted(widget("a", 8));
    expect(told).toEqual(["added a 3 initially", "added b 6", "changed a 7", "deleted a 8"]);
  });

  test("deletions that were missed are told with what was last known", () => {
    const { listed, told, state } = openReplica();
    listed(5, [widget("a", 3), widget("b", 4)]);
    listed(9, [widget("b", 7)]);
    expect(told.slice(2)).toEqual(["changed b 7", "deleted a 3"]);
    expect(state()).toEqual(["b 7"]);
  });

  test("a list that says nothing new tells nothing", () => {
    const { listed, told } = openReplica();
    listed(5, [widget("a", 3)]);
    listed(9, [widget("a", 3)]);
    expect(told).toEqual(["added a 3"]);
  });

  test("an object that was replaced by another of its name is told as deleted and added", () => {
    const { listed, told } = openReplica();
    listed(5, [widget("a", 3, "first")]);
    listed(9, [widget("a", 8, "second")]);
    expect(told).toEqual(["added first 3", "deleted first 3", "added second 8"]);
  });

  test("of servers that do not number their revisions everything is news", () => {
    const { replica, listed, told } = openReplica();
    const unnumbered = (size: number): KubeObject => ({ ...widget("a", 0), metadata: { name: "a", labels: {} }, size });
    listed(5, [unnumbered(1)]);
    replica.changed(unnumbered(2));
    replica.deleted(unnumbered(2));
    expect(told.map((text) => text.split(" ")[0])).toEqual(["added", "changed", "deleted"]);
  });

  test("a server that was set back is believed, though everything is older", () => {
    const { listed, told, state } = openReplica();
    listed(50, [widget("a", 40), widget("b", 41), widget("c", 3)]);
    listed(20, [widget("a", 10), widget("c", 3)], { isSetBack: true });
    expect(told.slice(3)).toEqual(["changed a 10", "deleted b 41"]);
    expect(state()).toEqual(["a 10", "c 3"]);
  });
});

describe("what was written here", () => {
  test("is told at once, and once", () => {
    const { replica, listed, told } = openReplica();
    listed(5, [widget("a", 3)]);
    replica.written(widget("a", 7));
    replica.changed(widget("a", 6));
    replica.changed(widget("a", 7));
    replica.changed(widget("a", 8));
    expect(told).toEqual(["added a 3", "changed a 7", "changed a 8"]);
  });

  test("is not deleted by a list that was made before", () => {
    const { replica, listed, state } = openReplica();
    listed(5, []);
    replica.listing();
    replica.written(widget("a", 9));
    listed(8, []);
    expect(state()).toEqual(["a 9"]);
    listed(9, []);
    expect(state()).toEqual([]);
  });

  test("is not deleted by the end of another object of its name", () => {
    const { replica, listed, told } = openReplica();
    listed(5, [widget("a", 3, "first")]);
    replica.written(widget("a", 9, "second"));
    replica.deleted(widget("a", 8, "first"));
    expect(told).toEqual(["added first 3", "deleted first 3", "added second 9"]);
  });
});

describe("what was deleted here", () => {
  test("does not come back by what the server told before", () => {
    const { replica, listed, told, state } = openReplica();
    listed(5, [widget("a", 3)]);
    replica.gone({ namespace: "n", name: "a" }, "a");
    replica.changed(widget("a", 6));
    expect(state()).toEqual([]);
    replica.deleted(widget("a", 7));
    replica.changed(widget("a", 8, "another"));
    expect(told).toEqual(["added a 3", "deleted a 3", "added another 8"]);
  });

  test("does not come back by a list that was made before", () => {
    const { replica, listed, state } = openReplica();
    replica.listing();
    replica.gone({ namespace: "n", name: "a" }, "a");
    listed(5, [widget("a", 3)]);
    replica.changed(widget("a", 4));
    expect(state()).toEqual([]);
  });

  test("does not come back after several lives of the same name", () => {
    const { replica, listed, state } = openReplica();
    listed(5, []);
    for (const [uid, revision] of [
      ["first", 6],
      ["second", 8],
    ] as const) {
      replica.written(widget("a", revision, uid));
      replica.gone({ namespace: "n", name: "a" }, uid);
    }
    replica.changed(widget("a", 6, "first"));
    expect(state()).toEqual([]);
    replica.deleted(widget("a", 7, "first"));
    replica.changed(widget("a", 8, "second"));
    replica.deleted(widget("a", 9, "second"));
    expect(state()).toEqual([]);
  });

  test("is not mistaken for what came after it", () => {
    const { replica, listed, state } = openReplica();
    listed(5, [widget("a", 3, "second")]);
    replica.gone({ namespace: "n", name: "a" }, "first");
    expect(state()).toEqual(["second 3"]);
  });
});

describe("what is not selected any more", () => {
  test("leaves with the write, and does not come back by what was told before", () => {
    const { replica, listed, told, state } = openReplica();
    listed(5, [widget("a", 3)]);
    replica.written(widget("a", 9, "a", {}));
    replica.changed(widget("a", 7));
    expect(state()).toEqual([]);
    replica.changed(widget("a", 11));
    expect(told).toEqual(["added a 3", "deleted a 3", "added a 11"]);
  });
});

test("a kind that is gone takes its objects along", () => {
  const { replica, listed, told } = openReplica();
  listed(5, [widget("a", 3)]);
  replica.clear("");
  expect(told).toEqual(["added a 3", "deleted a 3"]);
});
