import { expect } from "vitest";
import { keyOf, refusal, refused, type Sentence } from "./scene.ts";
import { configMap, configMaps, group, widget, widgets } from "./widget.ts";

/** Server-side apply. */
export function applySentences(sentence: Sentence): void {
  sentence("apply creates what is not there, and says who applied it", async ({ transport, namespace }) => {
    const wanted = widget({ namespace, name: "a" }, { spec: { size: 1 } });
    const created = await transport.apply(widgets, wanted, { fieldManager: "one" });
    expect(created).toMatchObject({ metadata: { generation: 1 }, spec: { size: 1, color: "red" } });
    expect(created.metadata.managedFields).toMatchObject([
      { manager: "one", operation: "Apply", apiVersion: `${group}/v1`, fieldsV1: { "f:spec": { "f:size": {} } } },
    ]);
  });

  sentence("applying the same again changes nothing", async ({ transport, namespace }) => {
    const wanted = widget({ namespace, name: "a" }, { spec: { size: 1, tags: ["x"], ports: [{ name: "p" }] } });
    const created = await transport.apply(widgets, wanted, { fieldManager: "one" });
    expect(await transport.apply(widgets, wanted, { fieldManager: "one" })).toEqual(created);
  });

  sentence("what another manager owns is only taken by force", async ({ transport, namespace }) => {
    const wanted = (size: number) => widget({ namespace, name: "a" }, { spec: { size } });
    await transport.apply(widgets, wanted(1), { fieldManager: "one" });
    expect(await refusal(transport.apply(widgets, wanted(2), { fieldManager: "two" }))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.size',
      reason: "Conflict",
      details: {
        causes: [{ reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".spec.size" }],
      },
      code: 409,
    });
    const forced = await transport.apply(widgets, wanted(2), { fieldManager: "two", force: true });
    expect(forced).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 } });
    const shared = await transport.apply(widgets, wanted(2), { fieldManager: "one" });
    expect(shared).toMatchObject({ spec: { size: 2 } });
  });

  sentence("what a manager applies no longer goes, if nobody else owns it", async ({ transport, namespace }) => {
    const apply = (fieldManager: string, spec: object) =>
      transport.apply(widgets, widget({ namespace, name: "a" }, { spec }), { fieldManager });
    await apply("one", { size: 1, note: "n", tags: ["x", "y"], labels: { a: "1" } });
    await apply("two", { note: "n", tags: ["z"] });
    const next = await apply("one", { labels: { b: "2" } });
    expect(next["spec"]).toEqual({
      color: "red",
      maybeDefaulted: "x",
      note: "n",
      tags: ["z"],
      labels: { b: "2" },
    });
  });

  sentence("lists are merged by their keys", async ({ transport, namespace }) => {
    const apply = (fieldManager: string, name: string, number: number) =>
      transport.apply(widgets, widget({ namespace, name: "a" }, { spec: { ports: [{ name, number }] } }), {
        fieldManager,
      });
    await apply("one", "http", 80);
    const next = await apply("two", "https", 443);
    expect(next).toMatchObject({
      spec: {
        ports: [
          { name: "http", number: 80 },
          { name: "https", number: 443 },
        ],
      },
    });
    expect(await refused(apply("two", "http", 81))).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.ports[name="http"].number',
    });
  });

  sentence("apply to the status is apart from apply to the rest", async ({ transport, namespace }) => {
    await transport.apply(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }), { fieldManager: "one" });
    const status = widget({ namespace, name: "a" }, { status: { phase: "Done" } });
    const done = await transport.apply(widgets, status, { fieldManager: "one", subresource: "status" });
    expect(done).toMatchObject({ metadata: { generation: 1 }, spec: { size: 1 }, status: { phase: "Done" } });
    expect(done.metadata.managedFields).toHaveLength(2);
  });

  sentence("apply needs a manager", async ({ transport, namespace }) => {
    expect(await refused(transport.apply(widgets, widget({ namespace, name: "a" }), { fieldManager: "" }))).toEqual({
      code: 422,
      reason: "Invalid",
      message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    });
  });

  sentence("an unknown field cannot be applied", async ({ transport, namespace }) => {
    const wanted = widget({ namespace, name: "a" }, { spec: { x: 1 } });
    expect(await refused(transport.apply(widgets, wanted, { fieldManager: "one" }))).toEqual({
      code: 500,
      message: `failed to create typed patch object (${namespace}/a; ${group}/v1, Kind=Widget): .spec.x: field not declared in schema`,
    });
  });

  sentence("managedFields cannot be applied", async ({ transport, namespace }) => {
    const wanted = widget({ namespace, name: "a", managedFields: [] });
    expect(await refused(transport.apply(widgets, wanted, { fieldManager: "one" }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: "metadata.managedFields must be nil",
    });
  });

  sentence("a uid says that an object is not to be created", async ({ transport, namespace }) => {
    const wanted = widget({ namespace, name: "a", uid: "b" });
    expect(await refused(transport.apply(widgets, wanted, { fieldManager: "one" }))).toEqual({
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on widgets.${group} "a": uid mismatch: the provided object specified uid b, and no existing object was found`,
    });
    await transport.create(widgets, widget({ namespace, name: "a" }));
    expect(await refused(transport.apply(widgets, wanted, { fieldManager: "one" }))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `Widget.${group} "a" is invalid: metadata.uid: Invalid value: "b": field is immutable`,
    });
  });

  sentence("a resourceVersion that is not the newest conflicts", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const wanted = widget({ namespace, name: "a", resourceVersion: "1" }, { spec: { size: 1 } });
    expect(await refused(transport.apply(widgets, wanted, { fieldManager: "one" }))).toMatchObject({
      code: 409,
      reason: "Conflict",
    });
    expect(await transport.get(widgets, keyOf(old))).toEqual(old);
  });

  sentence("another version than that of the request cannot be applied", async ({ transport, namespace }) => {
    const wanted = { ...widget({ namespace, name: "a" }), apiVersion: `${group}/v1beta1` };
    await transport.create(widgets, widget({ namespace, name: "a" }));
    expect(await refused(transport.apply(widgets, wanted, { fieldManager: "one" }))).toMatchObject({
      code: 400,
      reason: "BadRequest",
    });
  });

  sentence("a dry run of apply does nothing", async ({ transport, namespace }) => {
    const wanted = widget({ namespace, name: "a" }, { spec: { size: 1 } });
    const answer = await transport.apply(widgets, wanted, { fieldManager: "one", dryRun: true });
    expect(answer).toMatchObject({ spec: { size: 1, color: "red" } });
    expect(await refused(transport.get(widgets, keyOf(wanted)))).toMatchObject({ code: 404 });
  });

  sentence("an updater owns what it changed", async ({ transport, namespace }) => {
    const wanted = (value: string) => configMap({ namespace, name: "a" }, { k: value });
    await transport.apply(configMaps, wanted("1"), { fieldManager: "one" });
    const patch = { kind: "merge", patch: { data: { k: "2" } } } as const;
    await transport.patch(configMaps, { namespace, name: "a" }, patch, { fieldManager: "two" });
    const { message } = await refusal(transport.apply(configMaps, wanted("1"), { fieldManager: "one" }));
    expect(message).toBe('Apply failed with 1 conflict: conflict with "two" using v1: .data.k');
  });
}
