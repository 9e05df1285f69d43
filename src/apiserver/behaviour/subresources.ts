import type { KubeObject } from "#machinery";
import { expect } from "vitest";
import { keyOf, refused, type Sentence } from "./scene.ts";
import { deployments, gadget, gadgets, group, widget, widgets } from "./widget.ts";

/** Status and scale, which are written on their own. */
export function subresourceSentences(sentence: Sentence): void {
  sentence("the status endpoint changes the status alone", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    const next = await transport.update(
      widgets,
      {
        ...old,
        metadata: { ...old.metadata, labels: { a: "b" }, finalizers: ["e.com/x"] },
        spec: { size: 9 },
        status: { phase: "Done" },
      },
      { subresource: "status", fieldManager: "boss" },
    );
    expect(next).toMatchObject({ metadata: { generation: 1 }, spec: { size: 1 }, status: { phase: "Done" } });
    expect(next.metadata).not.toHaveProperty("labels");
    expect(next.metadata).not.toHaveProperty("finalizers");
    expect(next.metadata.managedFields?.find(({ manager }) => manager === "boss")).toMatchObject({
      operation: "Update",
      subresource: "status",
      fieldsV1: { "f:status": { ".": {}, "f:phase": {} } },
    });
    expect(await transport.get(widgets, keyOf(old), { subresource: "status" })).toEqual(next);
  });

  sentence("the main endpoint leaves the status alone", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    const patch = { kind: "merge", patch: { status: { phase: "Done" } } } as const;
    const done = await transport.patch(widgets, keyOf(old), patch, { subresource: "status" });
    const wanted = { ...done, spec: { size: 2 }, status: { phase: "Other" } };
    const next = await transport.update(widgets, wanted);
    expect(next).toMatchObject({ spec: { size: 2 }, status: { phase: "Done" } });
    expect((await transport.patch(widgets, keyOf(old), { kind: "merge", patch: { status: null } }))["status"]).toEqual({
      phase: "Done",
    });
  });

  sentence("a status is checked against the schema", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const call = transport.patch(
      widgets,
      keyOf(old),
      { kind: "merge", patch: { status: { phase: 1 } } },
      { subresource: "status" },
    );
    expect(await refused(call)).toEqual({
      code: 422,
      reason: "Invalid",
      message: `Widget.${group} "a" is invalid: status.phase: Invalid value: "integer": phase in body must be of type string: "integer"`,
    });
  });

  sentence("a stale status conflicts", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    await transport.update(widgets, { ...old, status: { phase: "One" } }, { subresource: "status" });
    const call = transport.update(widgets, { ...old, status: { phase: "Two" } }, { subresource: "status" });
    expect(await refused(call)).toMatchObject({ code: 409, reason: "Conflict" });
  });

  sentence("without the subresource there is no such endpoint", async ({ transport, word }) => {
    const old = await transport.create(gadgets, gadget({ name: `g-${word}` }));
    const call = transport.update(gadgets, { ...old, status: {} }, { subresource: "status" });
    expect(await refused(call)).toEqual({
      code: 404,
      reason: "NotFound",
      message: `gadgets.${group} "g-${word}" not found`,
    });
    await transport.delete(gadgets, keyOf(old));
  });

  sentence("a scale shows and sets the replicas of an object", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { replicas: 3 } }));
    const status = { replicas: 2, selector: "app=x" };
    await transport.patch(widgets, keyOf(old), { kind: "merge", patch: { status } }, { subresource: "status" });
    const scale = await transport.get(widgets, keyOf(old), { subresource: "scale" });
    const { uid, creationTimestamp } = old.metadata;
    expect(scale).toEqual({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "a", namespace, uid, creationTimestamp, resourceVersion: scale.metadata.resourceVersion },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: "app=x" },
    });
    const patch = { kind: "merge", patch: { spec: { replicas: 5 } } } as const;
    const options = { subresource: "scale", fieldManager: "scaler" };
    expect(await transport.patch(widgets, keyOf(old), patch, options)).toMatchObject({ spec: { replicas: 5 } });
    const scaled = await transport.get(widgets, keyOf(old));
    expect(scaled).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 } });
    expect(scaled.metadata.managedFields?.find(({ manager }) => manager === "scaler")).toMatchObject({
      operation: "Update",
      apiVersion: `${group}/v1`,
      subresource: "scale",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
    });
    const fresh = await transport.get(widgets, keyOf(old), { subresource: "scale" });
    const replaced = await transport.update(widgets, { ...fresh, spec: { replicas: 6 } }, { subresource: "scale" });
    expect(replaced).toMatchObject({ kind: "Scale", spec: { replicas: 6 } });
    const stale = transport.update(widgets, { ...fresh, spec: { replicas: 7 } }, { subresource: "scale" });
    expect(await refused(stale)).toMatchObject({ code: 409, reason: "Conflict" });
  });

  sentence("a scale below zero is refused", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { replicas: 3 } }));
    const patch = { kind: "merge", patch: { spec: { replicas: -1 } } } as const;
    expect(await refused(transport.patch(widgets, keyOf(old), patch, { subresource: "scale" }))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `Widget.${group} "a" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer`,
    });
  });

  sentence("replicas of an object that are no count are refused", async ({ transport, namespace }) => {
    const call = transport.create(widgets, widget({ namespace, name: "a" }, { spec: { replicas: -1 } }));
    expect(await refused(call)).toEqual({
      code: 422,
      reason: "Invalid",
      message: `Widget.${group} "a" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer`,
    });
  });

  sentence("a built-in kind is scaled too", async ({ transport, namespace }) => {
    const labels = { app: "x" };
    const deployment: KubeObject = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace, name: "a" },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    };
    await transport.create(deployments, deployment);
    const patch = { kind: "merge", patch: { spec: { replicas: 2 } } } as const;
    const scale = await transport.patch(deployments, { namespace, name: "a" }, patch, { subresource: "scale" });
    expect(scale).toMatchObject({ kind: "Scale", spec: { replicas: 2 }, status: { selector: "app=x" } });
    expect(await transport.get(deployments, { namespace, name: "a" })).toMatchObject({ spec: { replicas: 2 } });
  });
}
