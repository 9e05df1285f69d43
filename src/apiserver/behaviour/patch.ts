import type { JsonObject, Patch } from "#machinery";
import { expect } from "vitest";
import { keyOf, refusal, refused, type Sentence } from "./scene.ts";
import { configMap, configMaps, deployments, group, widget, widgets } from "./widget.ts";

/** How parts of objects are changed. */
export function patchSentences(sentence: Sentence): void {
  sentence("a merge patch sets what it names and removes what it names null", async ({ transport, namespace }) => {
    const old = await transport.create(
      widgets,
      widget({ namespace, name: "a", labels: { a: "1", b: "2" } }, { spec: { size: 1, tags: ["x"] } }),
    );
    const patch = merge({ metadata: { labels: { a: null, c: "3" } }, spec: { size: 2, tags: ["y", "z"] } });
    expect(await transport.patch(widgets, keyOf(old), patch)).toMatchObject({
      metadata: { labels: { b: "2", c: "3" }, generation: 2 },
      spec: { size: 2, color: "red", tags: ["y", "z"] },
    });
  });

  sentence("a JSON patch does its operations in order, all or none", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1, tags: ["x"] } }));
    const done = await transport.patch(
      widgets,
      keyOf(old),
      json(
        { op: "test", path: "/spec/size", value: 1 },
        { op: "replace", path: "/spec/size", value: 2 },
        { op: "add", path: "/spec/tags/-", value: "y" },
        { op: "add", path: "/metadata/labels", value: { "example.com/a": "b" } },
        { op: "remove", path: "/metadata/labels/example.com~1a" },
      ),
    );
    expect(done).toMatchObject({ spec: { size: 2, tags: ["x", "y"] } });
    expect(done.metadata).not.toHaveProperty("labels");
    for (const operations of [
      [{ op: "test", path: "/spec/size", value: 1 }],
      [
        { op: "replace", path: "/spec/size", value: 3 },
        { op: "remove", path: "/spec/nothing" },
      ],
      [{ op: "replace", path: "/spec/nothing/below", value: 3 }],
    ]) {
      expect(await refused(transport.patch(widgets, keyOf(old), json(...operations)))).toEqual({
        code: 422,
        reason: "Invalid",
        message: "the server rejected our request due to an error in our request",
      });
    }
    expect(await transport.get(widgets, keyOf(old))).toEqual(done);
  });

  sentence("a JSON patch has at most 10,000 operations", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    const operation = { op: "test", path: "/spec/size", value: 1 };
    const call = transport.patch(widgets, keyOf(old), json(...Array.from({ length: 10_001 }, () => operation)));
    expect(await refused(call)).toEqual({
      code: 413,
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    });
  });

  sentence("an unknown operation is refused", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const call = transport.patch(widgets, keyOf(old), json({ op: "jump", path: "/spec" }));
    expect(await refused(call)).toMatchObject({ code: 422, reason: "Invalid" });
  });

  sentence("a patch of a custom resource in the strategic form is not understood", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const call = transport.patch(widgets, keyOf(old), { kind: "strategic", patch: { spec: { size: 1 } } });
    expect(await refused(call)).toEqual({
      code: 415,
      reason: "UnsupportedMediaType",
      message:
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    });
  });

  sentence("a strategic merge patch merges lists by their keys", async ({ transport, namespace }) => {
    const container = (name: string, image: string) => ({ name, image });
    const labels = { app: "x" };
    const old = await transport.create(deployments, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace, name: "a" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container("one", "i1"), container("two", "i2")] } },
      },
    });
    const template = {
      spec: { containers: [{ name: "two", image: "i3" }, { name: "one", $patch: "delete" }, container("three", "i4")] },
    };
    const patched = await transport.patch(deployments, keyOf(old), {
      kind: "strategic",
      patch: { spec: { template } },
    });
    const containers = { spec: { template: { spec: { containers: [{ name: "two" }, { name: "three" }] } } } };
    expect(patched).toMatchObject(containers);
    expect(patched).toMatchObject({ spec: { template: { spec: { containers: [{ image: "i3" }, { image: "i4" }] } } } });
  });

  sentence("patches without a resourceVersion never conflict", async ({ transport, namespace }) => {
    const old = await transport.create(configMaps, configMap({ namespace, name: "a" }));
    const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key) => transport.patch(configMaps, keyOf(old), merge({ data: { [key]: "v" } }))));
    const { data } = await transport.get(configMaps, keyOf(old));
    expect(Object.keys(data as object)).toHaveLength(keys.length);
  });

  sentence("a patch with another resourceVersion conflicts", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const call = transport.patch(widgets, keyOf(old), merge({ metadata: { resourceVersion: "1" }, spec: { size: 1 } }));
    expect(await refused(call)).toEqual({
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on widgets.${group} "a": the object has been modified; please apply your changes to the latest version and try again`,
    });
  });

  sentence("a patch of an absent object is refused", async ({ transport, namespace }) => {
    const call = transport.patch(widgets, { namespace, name: "a" }, merge({ spec: { size: 1 } }));
    expect(await refused(call)).toEqual({ code: 404, reason: "NotFound", message: `widgets.${group} "a" not found` });
  });

  sentence("a patch cannot change the uid, and is told so twice", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const cause = {
      reason: "FieldValueInvalid",
      message: 'Invalid value: "b": field is immutable',
      field: "metadata.uid",
    };
    expect(await refusal(transport.patch(widgets, keyOf(old), merge({ metadata: { uid: "b" } })))).toMatchObject({
      code: 422,
      message: `Widget.${group} "a" is invalid: metadata.uid: Invalid value: "b": field is immutable`,
      details: { causes: [cause, cause] },
    });
  });

  sentence("a patch cannot rename or move an object", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    expect(await refused(transport.patch(widgets, keyOf(old), merge({ metadata: { name: "b" } })))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: "the name of the object (b) does not match the name on the URL (a)",
    });
    expect(await refused(transport.patch(widgets, keyOf(old), merge({ metadata: { namespace: "b" } })))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: "the namespace of the provided object does not match the namespace sent on the request",
    });
  });

  sentence("managedFields can be forgotten", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    expect(old.metadata.managedFields).toHaveLength(1);
    const patched = await transport.patch(widgets, keyOf(old), merge({ metadata: { managedFields: [{}] } }));
    expect(patched.metadata).not.toHaveProperty("managedFields");
  });

  sentence("a merge patch that is not an object is a bad request", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const call = transport.patch(widgets, keyOf(old), { kind: "merge", patch: [1] });
    expect(await refused(call)).toMatchObject({ code: 400, reason: "BadRequest" });
  });

  sentence("a patch that breaks the schema is refused", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    expect(await refused(transport.patch(widgets, keyOf(old), merge({ spec: { size: -1 } })))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `Widget.${group} "a" is invalid: spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0`,
    });
  });
}

function merge(patch: JsonObject): Patch {
  return { kind: "merge", patch };
}

function json(...operations: readonly JsonObject[]): Patch {
  return { kind: "json", operations };
}
