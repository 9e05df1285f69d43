import type { KubeObject } from "#machinery";
import { expect } from "vitest";
import { keyOf, refusal, refused, type Sentence } from "./scene.ts";
import { configMap, configMaps, group, leases, widget, widgets } from "./widget.ts";

const absent = "the object has been modified; please apply your changes to the latest version and try again";

/** How objects are replaced. */
export function updateSentences(sentence: Sentence): void {
  sentence("of two writers who build on the same state one wins and the other conflicts", async (scene) => {
    const { transport, namespace } = scene;
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    const next = (size: number): KubeObject => ({ ...old, spec: { size } });
    const results = await Promise.allSettled([transport.update(widgets, next(2)), transport.update(widgets, next(3))]);
    const lost = results.filter((result) => result.status === "rejected");
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect(lost).toHaveLength(1);
    expect(await refusal(Promise.reject(lost[0]?.reason))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `Operation cannot be fulfilled on widgets.${group} "a": ${absent}`,
      reason: "Conflict",
      details: { name: "a", group, kind: "widgets" },
      code: 409,
    });
  });

  sentence("a write that changes nothing writes nothing", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    expect(await transport.update(widgets, old)).toEqual(old);
    const patch = { kind: "merge", patch: { spec: { size: 1 } } } as const;
    expect(await transport.patch(widgets, keyOf(old), patch, { fieldManager: "other" })).toMatchObject({
      metadata: { resourceVersion: old.metadata.resourceVersion },
    });
  });

  sentence("generation counts changes outside metadata and status", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    const labelled = await transport.update(widgets, { ...old, metadata: { ...old.metadata, labels: { a: "b" } } });
    expect(labelled.metadata.generation).toBe(1);
    const resized = await transport.update(widgets, { ...labelled, spec: { size: 2 } });
    expect(resized.metadata.generation).toBe(2);
    const done = await transport.update(widgets, { ...resized, status: { phase: "Done" } }, { subresource: "status" });
    expect(done.metadata.generation).toBe(2);
    const pinned = await transport.update(widgets, {
      ...done,
      metadata: { ...done.metadata, generation: 40 },
      spec: { size: 3 },
    });
    expect(pinned.metadata.generation).toBe(3);
  });

  sentence("a custom resource is not overwritten without a resourceVersion", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    expect(
      await refusal(transport.update(widgets, widget({ namespace, name: "a" }, { spec: { size: 2 } }))),
    ).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: `widgets.${group} "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      details: { name: "a", group, kind: "widgets" },
    });
    expect(await transport.get(widgets, keyOf(old))).toEqual(old);
  });

  sentence("most built-in kinds are overwritten without a resourceVersion", async ({ transport, namespace }) => {
    const old = await transport.create(configMaps, configMap({ namespace, name: "a" }, { a: "1" }));
    const next = await transport.update(configMaps, configMap({ namespace, name: "a" }, { a: "2" }));
    expect(next).toMatchObject({ metadata: { uid: old.metadata.uid }, data: { a: "2" } });
  });

  sentence("the update of an absent object is refused, but a Lease is created", async ({ transport, namespace }) => {
    const call = transport.update(widgets, widget({ namespace, name: "a", resourceVersion: "1" }));
    expect(await refused(call)).toEqual({
      code: 404,
      reason: "NotFound",
      message: `widgets.${group} "a" not found`,
    });
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { namespace, name: "a" } };
    expect((await transport.update(leases, lease)).metadata.uid).toBeDefined();
  });

  sentence("the uid of the body has to be the object's", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const other = { ...old, metadata: { ...old.metadata, uid: "b" }, spec: { size: 1 } };
    const why =
      `StorageError: invalid object, Code: 4, Key: /registry/${group}/widgets/${namespace}/a, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: b, UID in object meta: ${old.metadata.uid}`;
    expect(await refused(transport.update(widgets, other))).toEqual({
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on widgets.${group} "a": ${why}`,
    });
  });

  sentence("what is left out of an update and only the server decides stays", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    const { resourceVersion = "" } = old.metadata;
    const next = await transport.update(
      widgets,
      widget({ namespace, name: "a", resourceVersion, labels: { b: "c" } }, { spec: { size: 1 } }),
    );
    const { uid, creationTimestamp } = old.metadata;
    expect(next.metadata).toMatchObject({ uid, creationTimestamp, generation: 1, labels: { b: "c" } });
  });

  sentence("creationTimestamp does not change", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const metadata = { ...old.metadata, creationTimestamp: "2001-01-01T00:00:00Z" as never };
    const next = await transport.update(widgets, { ...old, metadata, spec: { size: 1 } });
    expect(next.metadata.creationTimestamp).toBe(old.metadata.creationTimestamp);
  });

  sentence("deletionTimestamp cannot be set by hand", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const metadata = { ...old.metadata, deletionTimestamp: "2001-01-01T00:00:00Z" as never };
    expect(await refused(transport.update(widgets, { ...old, metadata }))).toMatchObject({
      code: 422,
      reason: "Invalid",
    });
  });

  sentence("the resourceVersion of an update has to be a number", async ({ transport, namespace }) => {
    await transport.create(widgets, widget({ namespace, name: "a" }));
    const call = transport.update(widgets, widget({ namespace, name: "a", resourceVersion: "x" }));
    expect(await refused(call)).toEqual({ code: 500, message: 'strconv.ParseUint: parsing "x": invalid syntax' });
  });

  sentence("a dry run of an update keeps the resourceVersion and does nothing", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    const answer = await transport.update(widgets, { ...old, spec: { size: 2 } }, { dryRun: true });
    expect(answer).toMatchObject({
      metadata: { generation: 2, resourceVersion: old.metadata.resourceVersion },
      spec: { size: 2 },
    });
    expect(await transport.get(widgets, keyOf(old))).toEqual(old);
  });

  sentence("an update may change everything in one write that its endpoint may change", async (scene) => {
    const { transport, namespace } = scene;
    const old = await transport.create(configMaps, configMap({ namespace, name: "a", labels: { a: "1" } }, { a: "1" }));
    const next = await transport.update(configMaps, {
      ...old,
      metadata: { ...old.metadata, labels: { b: "2" }, annotations: { c: "3" } },
      data: { d: "4" },
    });
    expect(next).toMatchObject({ metadata: { labels: { b: "2" }, annotations: { c: "3" } }, data: { d: "4" } });
    expect(next.metadata.labels).not.toHaveProperty("a");
    expect(Number(next.metadata.resourceVersion)).toBeGreaterThan(Number(old.metadata.resourceVersion));
  });
}
