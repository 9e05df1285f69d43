import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { keyOf, type KubeObject, type ObjectKey } from "#machinery";
import { HeldObjects } from "./held-objects.ts";
import type { CacheChange } from "./kind-cache.ts";
import { Replica } from "./replica.ts";

/** What happens: somebody or this program writes, the server tells what it has not told yet, or all is listed anew. */
type Happening =
  | { readonly kind: "put" | "delete"; readonly name: string; readonly own: boolean }
  | { readonly kind: "deliver"; readonly events: number }
  | { readonly kind: "ask" | "answer" };

const happenings = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("put" as const, "delete" as const),
      name: fc.constantFrom("a", "b"),
      own: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("deliver" as const), events: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constantFrom("ask" as const, "answer" as const) }),
  ),
  { maxLength: 60, size: "max" },
);

interface ServerEvent {
  readonly kind: "changed" | "deleted";
  readonly object: KubeObject;
  readonly revision: number;
}

/** A server of one kind that remembers all that ever happened. */
class ModelServer {
  readonly state = new Map<string, KubeObject>();
  readonly events: ServerEvent[] = [];
  #revision = 1;

  get revision(): number {
    return this.#revision;
  }

  put(name: string): KubeObject {
    this.#revision += 1;
    const uid = this.state.get(name)?.metadata.uid ?? `${name}-${this.#revision}`;
    const metadata = { namespace: "n", name, uid, resourceVersion: String(this.#revision) };
    const object = { apiVersion: "example.com/v1", kind: "Widget", metadata };
    this.state.set(name, object);
    this.events.push({ kind: "changed", object, revision: this.#revision });
    return object;
  }

  delete(name: string): KubeObject | undefined {
    const object = this.state.get(name);
    if (object === undefined) return undefined;
    this.#revision += 1;
    this.state.delete(name);
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } };
    this.events.push({ kind: "deleted", object: last, revision: this.#revision });
    return object;
  }
}

/** A replica that hears of a server late, and checks of everything that it is told that it is in order. */
class Scene {
  readonly server = new ModelServer();
  /** What a subscriber would have. */
  readonly mirror = new Map<string, KubeObject>();
  readonly deletedHere = new Set<string>();
  readonly #held = new HeldObjects<KubeObject>(() => undefined);
  readonly #lastTold = new Map<string, number>();
  readonly #replica = new Replica<KubeObject>({
    held: this.#held,
    enter: (object) => object,
    isSelected: () => true,
    tell: (change) => this.#check(change),
  });
  #told = 0;
  #answer: { readonly objects: readonly KubeObject[]; readonly revision: number } | undefined;

  happen(happening: Happening): void {
    switch (happening.kind) {
      case "put": {
        const object = this.server.put(happening.name);
        if (!happening.own) return;
        this.#replica.written(object);
        assert.deepEqual(this.read(keyOf(object)), object);
        return;
      }
      case "delete": {
        const object = this.server.delete(happening.name);
        if (!happening.own || object === undefined) return;
        this.deletedHere.add(object.metadata.uid ?? "");
        this.#replica.gone(keyOf(object), object.metadata.uid ?? "");
        return;
      }
      case "deliver":
        this.#deliver(happening.events);
        return;
      case "ask":
        this.#replica.listing();
        this.#answer = { objects: [...this.server.state.values()], revision: this.server.revision };
        return;
      case "answer":
        this.#list();
    }
  }

  finish(): void {
    this.#deliver(Infinity);
  }

  read(key: ObjectKey): KubeObject | undefined {
    return this.#held.find(key);
  }

  all(): readonly KubeObject[] {
    return this.#held.all();
  }

  #deliver(events: number): void {
    let left = events;
    for (const { kind, object, revision } of this.server.events) {
      if (revision <= this.#told || left-- <= 0) continue;
      this.#told = revision;
      this.#replica[kind](object);
    }
  }

  #list(): void {
    const { objects, revision } = this.#answer ?? { objects: [], revision: 0 };
    // A watch that has gone on meanwhile is not set back by an answer that took long.
    if (this.#answer === undefined || revision < this.#told) return;
    this.#answer = undefined;
    this.#told = revision;
    this.#replica.listed({ objects, revision: String(revision), namespace: "", initial: false, isSetBack: false });
  }

  #check(change: CacheChange): void {
    const { name = "", uid, resourceVersion } = change.object.metadata;
    const before = this.mirror.get(name);
    assert.equal(before === undefined, change.kind === "added");
    if (change.kind === "changed") assert.equal(change.before, before);
    if (change.kind === "changed") assert.equal(uid, before?.metadata.uid);
    const revision = Number(resourceVersion);
    assert.ok(revision >= (this.#lastTold.get(name) ?? 0), `${name} goes back to ${revision}`);
    this.#lastTold.set(name, revision);
    if (change.kind === "deleted") this.mirror.delete(name);
    else this.mirror.set(name, change.object);
  }
}

test("whatever happens and whenever it is told, nothing older is shown and the end is what the server has", () => {
  fc.assert(
    fc.property(happenings, (all) => {
      const scene = new Scene();
      const shown = new Map<string, number>();
      for (const happening of all) {
        scene.happen(happening);
        for (const name of ["a", "b"]) {
          const revision = Number(scene.read({ namespace: "n", name })?.metadata.resourceVersion ?? 0);
          if (revision > 0) assert.ok(revision >= (shown.get(name) ?? 0), `${name} is shown as of ${revision}`);
          if (revision > 0) shown.set(name, revision);
        }
        assert.deepEqual(
          scene.all().filter(({ metadata }) => scene.deletedHere.has(metadata.uid ?? "")),
          [],
        );
        assert.deepEqual(scene.all(), [...scene.mirror.values()].toSorted(byName));
      }
      scene.finish();
      assert.deepEqual(scene.all(), [...scene.server.state.values()].toSorted(byName));
    }),
    { numRuns: 500 },
  );
});

function byName(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}
