import { expect } from "vitest";
import { keyOf, refusal, refused, type Sentence } from "./scene.ts";
import { configMap, configMaps, gadget, gadgets, group, widget, widgets } from "./widget.ts";

/** How objects come into being. */
export function createSentences(sentence: Sentence): void {
  sentence("a new object gets uid, creationTimestamp, generation 1 and a resourceVersion", async (scene) => {
    const { transport, namespace } = scene;
    const created = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    expect(created).toMatchObject({
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { namespace, name: "a", generation: 1 },
      spec: { size: 1, color: "red" },
    });
    expect(created.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(created.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(await transport.get(widgets, keyOf(created))).toEqual(created);
  });

  sentence("what only the server decides is not taken from the body", async ({ transport, namespace }) => {
    const created = await transport.create(
      widgets,
      widget({
        namespace,
        name: "a",
        uid: "11111111-1111-4111-8111-111111111111",
        creationTimestamp: "2001-01-01T00:00:00Z" as never,
        deletionTimestamp: "2001-01-01T00:00:00Z" as never,
        deletionGracePeriodSeconds: 7,
        generation: 41,
      }),
    );
    const { metadata } = created;
    expect(metadata.uid).not.toBe("11111111-1111-4111-8111-111111111111");
    expect(metadata.creationTimestamp).not.toBe("2001-01-01T00:00:00Z");
    expect(metadata).toMatchObject({ generation: 1 });
    expect(metadata).not.toHaveProperty("deletionTimestamp");
    expect(metadata).not.toHaveProperty("deletionGracePeriodSeconds");
  });

  sentence("status is dropped where it has a subresource, and kept where it has none", async (scene) => {
    const { transport, namespace, word } = scene;
    const one = await transport.create(widgets, widget({ namespace, name: "a" }, { status: { phase: "Done" } }));
    expect(one).not.toHaveProperty("status");
    const other = await transport.create(gadgets, gadget({ name: `g-${word}` }, { status: { phase: "Done" } }));
    expect(other).toMatchObject({ status: { phase: "Done" } });
    await transport.delete(gadgets, keyOf(other));
  });

  sentence("an object that exists cannot be created again", async ({ transport, namespace }) => {
    const object = widget({ namespace, name: "a" });
    await transport.create(widgets, object);
    expect(await refusal(transport.create(widgets, object))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `widgets.${group} "a" already exists`,
      reason: "AlreadyExists",
      details: { name: "a", group, kind: "widgets" },
      code: 409,
    });
    await transport.create(configMaps, configMap({ namespace, name: "a" }));
    expect(await refused(transport.create(configMaps, configMap({ namespace, name: "a" })))).toEqual({
      code: 409,
      reason: "AlreadyExists",
      message: 'configmaps "a" already exists',
    });
  });

  sentence("a resourceVersion in the body of a create is refused", async ({ transport, namespace }) => {
    const call = transport.create(widgets, widget({ namespace, name: "a", resourceVersion: "7" }));
    expect(await refused(call)).toEqual({
      code: 500,
      message: "resourceVersion should not be set on objects to be created",
    });
  });

  sentence("generateName is the beginning of a name", async ({ transport, namespace }) => {
    const created = await transport.create(widgets, widget({ namespace, generateName: "some-" }));
    expect(created.metadata.name).toMatch(/^some-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(created.metadata.generateName).toBe("some-");
    const long = await transport.create(widgets, widget({ namespace, generateName: "x".repeat(70) }));
    expect(long.metadata.name).toMatch(/^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  sentence("an object needs a name", async ({ transport, namespace }) => {
    expect(await refusal(transport.create(widgets, widget({ namespace })))).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: `Widget.${group} "" is invalid: metadata.name: Required value: name or generateName is required`,
      details: {
        group,
        kind: "Widget",
        causes: [
          {
            reason: "FieldValueRequired",
            message: "Required value: name or generateName is required",
            field: "metadata.name",
          },
        ],
      },
    });
  });

  sentence("another kind than that of the resource is refused", async ({ transport, namespace }) => {
    const call = transport.create(widgets, { ...widget({ namespace, name: "a" }), kind: "Foo" });
    expect(await refused(call)).toEqual({
      code: 422,
      reason: "Invalid",
      message: `Foo.${group} "a" is invalid: kind: Invalid value: "Foo": must be Widget`,
    });
  });

  sentence("another version than that of the request is refused", async ({ transport, namespace }) => {
    const call = transport.create(widgets, { ...widget({ namespace, name: "a" }), apiVersion: `${group}/v1beta1` });
    expect(await refused(call)).toEqual({
      code: 400,
      reason: "BadRequest",
      message: `the API version in the data (${group}/v1beta1) does not match the expected API version (${group}/v1)`,
    });
  });

  sentence("a value of the wrong type in a built-in kind is a bad request", async ({ transport, namespace }) => {
    const { code, reason, message } = await refusal(
      transport.create(configMaps, configMap({ namespace, name: "a" }, { key: 1 })),
    );
    expect({ code, reason }).toEqual({ code: 400, reason: "BadRequest" });
    expect(message).toMatch(
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field /,
    );
  });

  sentence("a dry run answers as if it had been done, and does nothing", async ({ transport, namespace }) => {
    const answer = await transport.create(widgets, widget({ namespace, name: "a" }), { dryRun: true });
    expect(answer.metadata).toMatchObject({ name: "a", generation: 1 });
    expect(answer.metadata.uid).toBeDefined();
    expect(answer.metadata).not.toHaveProperty("resourceVersion");
    expect(await refused(transport.get(widgets, { namespace, name: "a" }))).toMatchObject({ code: 404 });
    await transport.create(widgets, widget({ namespace, name: "a" }));
    expect(await refused(transport.create(widgets, widget({ namespace, name: "a" }), { dryRun: true }))).toMatchObject({
      code: 409,
      reason: "AlreadyExists",
    });
  });

  sentence("an absent object is not found", async ({ transport, namespace }) => {
    expect(await refusal(transport.get(widgets, { namespace, name: "a" }))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `widgets.${group} "a" not found`,
      reason: "NotFound",
      details: { name: "a", group, kind: "widgets" },
      code: 404,
    });
  });

  sentence("who wrote what is noted in managedFields", async ({ transport, namespace }) => {
    const object = widget({ namespace, name: "a", labels: { app: "x" } }, { spec: { size: 3 } });
    const { metadata } = await transport.create(widgets, object, { fieldManager: "tester" });
    expect(metadata.managedFields).toEqual([
      {
        manager: "tester",
        operation: "Update",
        apiVersion: `${group}/v1`,
        time: metadata.creationTimestamp,
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
          "f:spec": { ".": {}, "f:color": {}, "f:maybeDefaulted": {}, "f:size": {} },
        },
      },
    ]);
  });
}
