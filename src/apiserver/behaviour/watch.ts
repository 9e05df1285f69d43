import type { KubeObject, WatchOptions } from "#machinery";
import { milliseconds, seconds } from "#base";
import { expect } from "vitest";
import { brief, watching } from "./events-of.ts";
import { keyOf, refused, type Scene, type Sentence } from "./scene.ts";
import { deprecatedWidgets, group, widget, widgets } from "./widget.ts";

/** How changes are watched. */
export function watchSentences(sentence: Sentence): void {
  sentence("a watch from a revision shows every later change once and in order", async (scene) => {
    const { transport, namespace } = scene;
    await create(scene, "before");
    const { metadata } = await transport.list(widgets, { namespace });
    const a = await create(scene, "a");
    const resized = await transport.update(widgets, { ...a, spec: { size: 2 } });
    const watch = watching(transport, widgets, { namespace, ...from(metadata.resourceVersion) });
    expect(await watch.take(2)).toEqual([
      { kind: "added", object: a },
      { kind: "modified", object: resized },
    ]);
    await transport.delete(widgets, keyOf(a));
    const [deleted] = await watch.take(1);
    expect(deleted).toMatchObject({ kind: "deleted", object: { metadata: { name: "a" }, spec: { size: 2 } } });
    const end = deleted?.kind === "deleted" ? Number(deleted.object.metadata.resourceVersion) : 0;
    expect(end).toBeGreaterThan(Number(resized.metadata.resourceVersion));
    await watch.stop();
  });

  sentence("a watch without a revision begins with what is there", async (scene) => {
    const { transport, namespace } = scene;
    const [a, b] = [await create(scene, "a"), await create(scene, "b")];
    for (const options of [{}, { resourceVersion: "0" }]) {
      const watch = watching(transport, widgets, { namespace, ...options });
      const events = await watch.take(2);
      expect(events.map(brief).toSorted()).toEqual(["added a", "added b"]);
      expect(events.map((event) => (event.kind === "bookmark" ? undefined : event.object))).toEqual(
        expect.arrayContaining([a, b]),
      );
      await watch.stop();
    }
  });

  sentence("what leaves the view of a selector is deleted there, what enters it is added", async (scene) => {
    const { transport, namespace } = scene;
    const { metadata } = await transport.list(widgets, { namespace });
    const watch = watching(transport, widgets, {
      namespace,
      labelSelector: "app=x",
      ...from(metadata.resourceVersion),
    });
    const label = (app: string) =>
      transport.patch(widgets, { namespace, name: "a" }, { kind: "merge", patch: { metadata: { labels: { app } } } });
    await create(scene, "a");
    const entered = await label("x");
    const left = await label("y");
    await label("z");
    await label("x");
    await transport.delete(widgets, { namespace, name: "a" });
    const events = await watch.take(4);
    expect(events.map(brief)).toEqual(["added a", "deleted a", "added a", "deleted a"]);
    const { resourceVersion = "" } = left.metadata;
    expect(events[1]).toEqual({
      kind: "deleted",
      object: { ...entered, metadata: { ...entered.metadata, resourceVersion } },
    });
    await watch.stop();
  });

  sentence("field selectors choose what is watched", async (scene) => {
    const { transport, namespace } = scene;
    const { metadata } = await transport.list(widgets, { namespace });
    const start = from(metadata.resourceVersion);
    const one = watching(transport, widgets, { namespace, fieldSelector: "metadata.name=b", ...start });
    const green = watching(transport, widgets, { namespace, fieldSelector: "spec.color=green", ...start });
    await create(scene, "a");
    const b = await create(scene, "b");
    await transport.update(widgets, { ...b, spec: { color: "green" } });
    expect((await one.take(2)).map(brief)).toEqual(["added b", "modified b"]);
    expect((await green.take(1)).map(brief)).toEqual(["added b"]);
    await Promise.all([one.stop(), green.stop()]);
  });

  sentence("initial events end with a bookmark and go on with changes", async (scene) => {
    const { transport, namespace } = scene;
    await create(scene, "a");
    await create(scene, "b");
    const { metadata } = await transport.list(widgets, { namespace });
    const watch = watching(transport, widgets, { namespace, ...watchList });
    expect((await watch.take(2)).map(brief).toSorted()).toEqual(["added a", "added b"]);
    const bookmark = await watch.next();
    expect(bookmark).toMatchObject({ kind: "bookmark", initialEventsEnd: true });
    const revision = bookmark?.kind === "bookmark" ? Number(bookmark.resourceVersion) : 0;
    expect(revision).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
    await create(scene, "c");
    expect((await watch.take(1)).map(brief)).toEqual(["added c"]);
    await watch.stop();
  });

  sentence("initial events of an empty collection are a bookmark alone", async ({ transport, namespace }) => {
    const watch = watching(transport, widgets, { namespace, ...watchList });
    expect(await watch.next()).toMatchObject({ kind: "bookmark", initialEventsEnd: true });
    await watch.stop();
  });

  const contradictions: readonly [what: string, options: WatchOptions, problem: string][] = [
    [
      "initial events without a match",
      { sendInitialEvents: true },
      "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
    ],
    [
      "initial events that match exactly",
      { sendInitialEvents: true, resourceVersionMatch: "Exact", resourceVersion: "1" },
      '[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
    [
      "a match without initial events",
      { resourceVersionMatch: "NotOlderThan", resourceVersion: "1" },
      "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    ],
  ];
  for (const [what, options, problem] of contradictions) {
    sentence(
      `${what} are refused`.replace("match without initial events are", "match without initial events is"),
      async (scene) => {
        const { transport, namespace } = scene;
        expect(await refused(watching(transport, widgets, { namespace, ...options }).next())).toEqual({
          code: 422,
          reason: "Invalid",
          message: `ListOptions.meta.k8s.io "" is invalid: ${problem}`,
        });
      },
    );
  }

  sentence("a watch from a revision that is long gone is expired", async ({ transport, namespace, word }) => {
    expect(word).toBeDefined();
    const call = watching(transport, widgets, { namespace, resourceVersion: "1" }).next();
    const answer = await Promise.race([refused(call), Promise.resolve().then(() => undefined)]);
    // A young server still has all its history.
    if (answer !== undefined) expect(answer).toMatchObject({ code: 410, reason: "Expired" });
  });

  sentence("a watch shows objects in the version that is asked for", async (scene) => {
    const { transport, namespace } = scene;
    const { metadata } = await transport.list(widgets, { namespace });
    const watch = watching(transport, deprecatedWidgets, { namespace, ...from(metadata.resourceVersion) });
    const a = await create(scene, "a");
    expect(await watch.take(1)).toEqual([{ kind: "added", object: { ...a, apiVersion: `${group}/v1beta1` } }]);
    await watch.stop();
  });

  sentence("a watch ends when its time is over", async ({ transport, namespace, advance }) => {
    const watch = watching(transport, widgets, { namespace, timeout: seconds(1), resourceVersion: "0" });
    await advance?.(milliseconds(1_000));
    expect(await watch.next()).toBeUndefined();
  });

  sentence("a write that changes nothing is not seen", async (scene) => {
    const { transport, namespace } = scene;
    const a = await create(scene, "a");
    const watch = watching(transport, widgets, { namespace, ...from(a.metadata.resourceVersion) });
    await transport.update(widgets, a);
    await create(scene, "b");
    expect((await watch.take(1)).map(brief)).toEqual(["added b"]);
    await watch.stop();
  });

  sentence("the end of an object that finalizers held back is a deletion", async (scene) => {
    const { transport, namespace } = scene;
    const a = await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["e.com/x"] }));
    const watch = watching(transport, widgets, { namespace, ...from(a.metadata.resourceVersion) });
    await transport.delete(widgets, keyOf(a));
    await transport.patch(widgets, keyOf(a), { kind: "merge", patch: { metadata: { finalizers: null } } });
    expect((await watch.take(2)).map(brief)).toEqual(["modified a", "deleted a"]);
    await watch.stop();
  });
}

const watchList = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: true } as const;

async function create({ transport, namespace }: Scene, name: string): Promise<KubeObject> {
  return await transport.create(widgets, widget({ namespace, name }, { spec: { size: 1 } }));
}

function from(resourceVersion: string | undefined): Pick<WatchOptions, "resourceVersion"> {
  return resourceVersion === undefined ? {} : { resourceVersion };
}
