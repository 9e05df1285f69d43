import type { KubeObject } from "#machinery";
import { expect } from "vitest";
import { found, keyOf, refusal, refused, type Sentence } from "./scene.ts";
import { configMap, configMaps, group, widget, widgets } from "./widget.ts";

const namespaces = { group: "", version: "v1", resource: "namespaces" };

/** The life of namespaces. */
export function namespaceSentences(sentence: Sentence): void {
  sentence("four namespaces are there from the beginning", async ({ transport, eventually }) => {
    await eventually(async () => {
      for (const name of ["default", "kube-system", "kube-public", "kube-node-lease"]) {
        expect(await transport.get(namespaces, { name })).toMatchObject({ status: { phase: "Active" } });
      }
    });
  });

  sentence("a namespace is labelled with its name, held by a finalizer and active", async (scene) => {
    const { transport, namespace } = scene;
    expect(await transport.get(namespaces, { name: namespace })).toMatchObject({
      metadata: { labels: { "kubernetes.io/metadata.name": namespace } },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  });

  sentence("nothing is created in a namespace that is not there", async ({ transport, word }) => {
    const nowhere = `nowhere-${word}`;
    expect(await refusal(transport.create(widgets, widget({ namespace: nowhere, name: "a" })))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `namespaces "${nowhere}" not found`,
      reason: "NotFound",
      details: { name: nowhere, kind: "namespaces" },
      code: 404,
    });
  });

  sentence("nothing is created in a namespace that is being deleted", async (scene) => {
    const { transport, namespace } = scene;
    const held = await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["e.com/hold"] }));
    const marked = (await transport.delete(namespaces, { name: namespace })) as KubeObject;
    expect(marked).toMatchObject({ status: { phase: "Terminating" } });
    expect(await refusal(transport.create(widgets, widget({ namespace, name: "b" })))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `widgets.${group} "b" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
      reason: "Forbidden",
      details: {
        name: "b",
        group,
        kind: "widgets",
        causes: [
          {
            reason: "NamespaceTerminating",
            message: `namespace ${namespace} is being terminated`,
            field: "metadata.namespace",
          },
        ],
      },
      code: 403,
    });
    await transport.patch(widgets, keyOf(held), { kind: "merge", patch: { metadata: { finalizers: null } } });
    await scene.eventually(async () => {
      expect(await found(transport.get(namespaces, { name: namespace }))).toBeUndefined();
    });
  });

  sentence("a namespace goes with all its content", async (scene) => {
    const { transport, namespace } = scene;
    await transport.create(widgets, widget({ namespace, name: "a" }));
    await transport.create(configMaps, configMap({ namespace, name: "a" }));
    await transport.delete(namespaces, { name: namespace });
    await scene.eventually(async () => {
      expect(await found(transport.get(namespaces, { name: namespace }))).toBeUndefined();
    });
    expect((await transport.list(widgets, { namespace })).items).toEqual([]);
    expect((await transport.list(configMaps, { namespace })).items).toEqual([]);
  });

  sentence("a namespace tells what keeps it from going", async (scene) => {
    const { transport, namespace } = scene;
    const held = await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["e.com/hold"] }));
    await transport.delete(namespaces, { name: namespace });
    await scene.eventually(async () => {
      expect(await transport.get(namespaces, { name: namespace })).toMatchObject({
        status: {
          phase: "Terminating",
          conditions: [
            {
              type: "NamespaceDeletionDiscoveryFailure",
              status: "False",
              reason: "ResourcesDiscovered",
              message: "All resources successfully discovered",
            },
            {
              type: "NamespaceDeletionGroupVersionParsingFailure",
              status: "False",
              reason: "ParsedGroupVersions",
              message: "All legacy kube types successfully parsed",
            },
            {
              type: "NamespaceDeletionContentFailure",
              status: "False",
              reason: "ContentDeleted",
              message: "All content successfully deleted, may be waiting on finalization",
            },
            {
              type: "NamespaceContentRemaining",
              status: "True",
              reason: "SomeResourcesRemain",
              message: `Some resources are remaining: widgets.${group} has 1 resource instances`,
            },
            {
              type: "NamespaceFinalizersRemaining",
              status: "True",
              reason: "SomeFinalizersRemain",
              message: "Some content in the namespace has finalizers remaining: e.com/hold in 1 resource instances",
            },
          ],
        },
      });
    });
    await transport.patch(widgets, keyOf(held), { kind: "merge", patch: { metadata: { finalizers: null } } });
    await scene.eventually(async () => {
      expect(await found(transport.get(namespaces, { name: namespace }))).toBeUndefined();
    });
  });

  sentence("some namespaces may not be deleted", async ({ transport }) => {
    for (const name of ["default", "kube-system", "kube-public"]) {
      expect(await refused(transport.delete(namespaces, { name }))).toEqual({
        code: 403,
        reason: "Forbidden",
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      });
    }
  });

  sentence("the finalizer of a namespace is written through its own endpoint alone", async (scene) => {
    const { transport, namespace } = scene;
    const key = { name: namespace };
    const patched = await transport.patch(namespaces, key, { kind: "merge", patch: { spec: { finalizers: [] } } });
    expect(patched).toMatchObject({ spec: { finalizers: ["kubernetes"] } });
    const finalized = await transport.update(
      namespaces,
      { ...patched, spec: { finalizers: [] } },
      { subresource: "finalize" },
    );
    expect(finalized).toMatchObject({ spec: {} });
  });

  sentence("a namespace is called by a label", async ({ transport }) => {
    const call = transport.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "a.b" } });
    expect(await refused(call)).toEqual({
      code: 422,
      reason: "Invalid",
      message: 'Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots',
    });
  });
}
