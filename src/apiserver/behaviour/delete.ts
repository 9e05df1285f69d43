import type { KubeObject } from "#machinery";
import { expect } from "vitest";
import { found, keyOf, refused, type Sentence } from "./scene.ts";
import { configMap, configMaps, group, widget, widgets } from "./widget.ts";

/** How objects go. */
export function deleteSentences(sentence: Sentence): void {
  sentence("an object without finalizers goes at once", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    expect(await transport.delete(widgets, keyOf(old))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "a", group, kind: "widgets", uid: old.metadata.uid },
    });
    expect(await refused(transport.delete(widgets, keyOf(old)))).toEqual({
      code: 404,
      reason: "NotFound",
      message: `widgets.${group} "a" not found`,
    });
  });

  sentence("finalizers hold an object back until the last of them is removed", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["e.com/a", "e.com/b"] }));
    const marked = (await transport.delete(widgets, keyOf(old))) as KubeObject;
    expect(marked.metadata).toMatchObject({
      deletionGracePeriodSeconds: 0,
      generation: 2,
      finalizers: ["e.com/a", "e.com/b"],
    });
    expect(marked.metadata.deletionTimestamp).toMatch(/^\d{4}-/);
    expect(await transport.delete(widgets, keyOf(old))).toEqual(marked);
    const finalizers = (...names: readonly string[]) =>
      transport.patch(widgets, keyOf(old), { kind: "merge", patch: { metadata: { finalizers: [...names] } } });
    expect((await finalizers("e.com/b")).metadata.finalizers).toEqual(["e.com/b"]);
    const last = await finalizers();
    expect(last.metadata).toMatchObject({ name: "a", deletionTimestamp: marked.metadata.deletionTimestamp });
    expect(await found(transport.get(widgets, keyOf(old)))).toBeUndefined();
  });

  sentence("deletionTimestamp stays, whatever an update says", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["e.com/a"] }));
    const marked = (await transport.delete(widgets, keyOf(old))) as KubeObject;
    const { deletionTimestamp, ...metadata } = marked.metadata;
    const next = await transport.update(widgets, { ...marked, metadata, spec: { size: 4 } });
    expect(next).toMatchObject({ metadata: { deletionTimestamp, generation: 3 }, spec: { size: 4 } });
    await release(transport, next);
  });

  sentence("preconditions have to hold", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const { uid, resourceVersion } = old.metadata;
    expect(await refused(transport.delete(widgets, keyOf(old), { preconditions: { uid: "b" } }))).toEqual({
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on Widget.${group} "a": the UID in the precondition (b) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    });
    expect(await refused(transport.delete(widgets, keyOf(old), { preconditions: { resourceVersion: "1" } }))).toEqual({
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on Widget.${group} "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    });
    const preconditions = { uid: uid ?? "", resourceVersion: resourceVersion ?? "" };
    expect(await transport.delete(widgets, keyOf(old), { preconditions })).toMatchObject({ status: "Success" });
  });

  sentence("a dry run of a delete leaves the object where it is", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    expect(await transport.delete(widgets, keyOf(old), { dryRun: true })).toMatchObject({ status: "Success" });
    expect(await transport.get(widgets, keyOf(old))).toEqual(old);
  });

  sentence("a policy that a repeated delete names replaces the one before", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["e.com/a"] }));
    const foreground = await transport.delete(widgets, keyOf(old), { propagationPolicy: "Foreground" });
    expect(foreground).toMatchObject({ metadata: { finalizers: ["e.com/a", "foregroundDeletion"] } });
    const orphan = await transport.delete(widgets, keyOf(old), { propagationPolicy: "Orphan" });
    expect(orphan).toMatchObject({ metadata: { finalizers: ["e.com/a", "orphan"] } });
    const background = await transport.delete(widgets, keyOf(old), { propagationPolicy: "Background" });
    expect(background).toMatchObject({ metadata: { finalizers: ["e.com/a"] } });
    await release(transport, old);
  });

  sentence("an unknown policy is refused", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const call = transport.delete(widgets, keyOf(old), { propagationPolicy: "Sideways" as never });
    expect(await refused(call)).toEqual({
      code: 422,
      reason: "Invalid",
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    });
  });

  sentence("a collection is deleted as far as selectors reach, and answered", async ({ transport, namespace }) => {
    for (const [name, app] of Object.entries({ a: "x", b: "y", c: "x" })) {
      await transport.create(configMaps, configMap({ namespace, name, labels: { app } }));
    }
    const deleted = await transport.deleteCollection(configMaps, { namespace, labelSelector: "app=x" });
    expect(deleted.kind).toBe("ConfigMapList");
    expect(deleted.items.map(({ metadata }) => metadata.name)).toEqual(["a", "c"]);
    const left = await transport.list(configMaps, { namespace, labelSelector: "app" });
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
  });

  sentence("the delete of a collection marks what finalizers hold back", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["e.com/a"] }));
    await transport.create(widgets, widget({ namespace, name: "b" }));
    await transport.deleteCollection(widgets, { namespace });
    const { items } = await transport.list(widgets, { namespace });
    expect(items.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp !== undefined])).toEqual([
      ["a", true],
    ]);
    await release(transport, old);
  });
}

async function release(
  transport: Parameters<Parameters<Sentence>[1]>[0]["transport"],
  object: KubeObject,
): Promise<void> {
  await transport.patch(widgets, keyOf(object), { kind: "merge", patch: { metadata: { finalizers: null } } });
}
