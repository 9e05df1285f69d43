import type { GroupVersionResource, JsonObject, KubeObject } from "#machinery";
import { expect } from "vitest";
import { brief, watching } from "./events-of.ts";
import { found, keyOf, refusal, refused, type Scene, type Sentence, warnings } from "./scene.ts";
import { deprecatedWidgets, group as widgetGroup } from "./widget.ts";

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const anything: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** The life of CustomResourceDefinitions. */
export function customResourceSentences(sentence: Sentence): void {
  sentence("a definition is completed, accepted and established", async (scene) => {
    const { transport } = scene;
    const { group, crd } = thing(scene);
    const created = await transport.create(definitions, crd);
    expect(created).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
        conversion: { strategy: "None" },
      },
      status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: ["v1"] },
    });
    await scene.eventually(async () => {
      expect(await transport.get(definitions, keyOf(crd))).toMatchObject({
        metadata: { generation: 1 },
        status: {
          acceptedNames: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
          storedVersions: ["v1"],
          conditions: [
            { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
            {
              type: "Established",
              status: "True",
              reason: "InitialNamesAccepted",
              message: "the initial names have been accepted",
            },
          ],
        },
      });
    });
    await scene.eventually(async () => {
      expect(await transport.list({ group, version: "v1", resource: "things" })).toMatchObject({ kind: "ThingList" });
    });
    await transport.delete(definitions, keyOf(crd));
  });

  sentence("a resource that nobody defined is not served", async ({ transport, word }) => {
    const nothing = { group: widgetGroup, version: "v1", resource: `nothings${word}` };
    expect(await gone(transport.list(nothing))).toBe(true);
  });

  sentence("a name that another definition has is not accepted", async (scene) => {
    const { transport } = scene;
    const first = thing(scene);
    await established(scene, first.crd);
    const second = withNames(first.crd, { plural: "others", singular: "other", kind: "Other", listKind: "ThingList" });
    await transport.create(definitions, second);
    await scene.eventually(async () => {
      expect(await transport.get(definitions, keyOf(second))).toMatchObject({
        status: {
          conditions: [
            {
              type: "NamesAccepted",
              status: "False",
              reason: "ListKindConflict",
              message: '"ThingList" is already in use',
            },
            { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" },
          ],
        },
      });
    });
    expect(await gone(transport.list({ ...first.resource, resource: "others" }))).toBe(true);
    await transport.delete(definitions, keyOf(first.crd));
    await scene.eventually(async () => {
      expect(await transport.list({ ...first.resource, resource: "others" })).toMatchObject({ items: [] });
    });
    await transport.delete(definitions, keyOf(second));
  });

  sentence("a deleted definition takes its objects along, and creates are refused meanwhile", async (scene) => {
    const { transport, namespace } = scene;
    const { crd, resource, object } = thing(scene);
    await established(scene, crd);
    const held = await transport.create(resource, object({ namespace, name: "a", finalizers: ["e.com/hold"] }));
    await transport.create(resource, object({ namespace, name: "b" }));
    const marked = (await transport.delete(definitions, keyOf(crd))) as KubeObject;
    expect(marked).toMatchObject({
      metadata: { generation: 1, finalizers: ["customresourcecleanup.apiextensions.k8s.io"] },
    });
    expect(marked.metadata).not.toHaveProperty("deletionGracePeriodSeconds");
    expect((marked["status"] as JsonObject)["conditions"]).toMatchObject([
      { type: "NamesAccepted" },
      { type: "Established" },
      {
        type: "Terminating",
        status: "True",
        reason: "InstanceDeletionPending",
        message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
      },
    ]);
    expect(await refusal(transport.create(resource, object({ namespace, name: "c" })))).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message: `things.${resource.group} "c" is forbidden: create not allowed while custom resource definition is terminating`,
      details: { name: "c", group: resource.group, kind: "things" },
    });
    await scene.eventually(async () => {
      expect((await transport.list(resource, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
      expect(await transport.get(definitions, keyOf(crd))).toMatchObject({
        status: {
          conditions: [
            {},
            {},
            {
              type: "Terminating",
              status: "True",
              reason: "InstanceDeletionInProgress",
              message: "CustomResource deletion is in progress",
            },
          ],
        },
      });
    });
    await transport.patch(resource, keyOf(held), { kind: "merge", patch: { metadata: { finalizers: null } } });
    await scene.eventually(async () => {
      expect(await found(transport.get(definitions, keyOf(crd)))).toBeUndefined();
    });
    await scene.eventually(async () => {
      expect(await gone(transport.list(resource))).toBe(true);
    });
  });

  sentence("a definition that comes again finds no old objects", async (scene) => {
    const { transport, namespace } = scene;
    const { crd, resource, object } = thing(scene);
    await established(scene, crd);
    await transport.create(resource, object({ namespace, name: "a" }));
    await transport.delete(definitions, keyOf(crd));
    await scene.eventually(async () => {
      expect(await found(transport.get(definitions, keyOf(crd)))).toBeUndefined();
    });
    await established(scene, crd);
    expect((await transport.list(resource)).items).toEqual([]);
    await transport.delete(definitions, keyOf(crd));
  });

  sentence("watches of a resource that goes away end", async (scene) => {
    const { transport, namespace } = scene;
    const { crd, resource, object } = thing(scene);
    await established(scene, crd);
    await transport.create(resource, object({ namespace, name: "a" }));
    const watch = watching(transport, resource, { namespace });
    expect((await watch.take(1)).map(brief)).toEqual(["added a"]);
    await transport.delete(definitions, keyOf(crd));
    const rest: string[] = [];
    for (let event = await watch.next(); event !== undefined; event = await watch.next()) rest.push(brief(event));
    expect(rest).toEqual(["deleted a"]);
  });

  sentence("a definition can be changed while it is served", async (scene) => {
    const { transport, namespace } = scene;
    const { crd, resource, object } = thing(scene, {
      type: "object",
      properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
    });
    await established(scene, crd);
    const old = await transport.create(resource, { ...object({ namespace, name: "a" }), spec: { size: 1 } });
    await change(scene, crd, (spec) => ({
      ...spec,
      versions: [
        version("v1", {
          type: "object",
          properties: {
            spec: {
              type: "object",
              properties: { size: { type: "integer" }, color: { type: "string", default: "red" } },
            },
          },
        }),
      ],
    }));
    await scene.eventually(async () => {
      // Defaults of a new schema are seen on objects of old.
      expect(await transport.get(resource, keyOf(old))).toEqual({ ...old, spec: { size: 1, color: "red" } });
    });
    await change(scene, crd, (spec) => ({
      ...spec,
      versions: [version("v1", { type: "object", properties: { spec: { type: "object" } } })],
    }));
    await scene.eventually(async () => {
      // What a new schema does not know is not shown any more.
      expect(await transport.get(resource, keyOf(old))).toEqual({ ...old, spec: {} });
    });
    await transport.delete(definitions, keyOf(crd));
  });

  sentence("objects are kept in the storage version, and stored versions are remembered", async (scene) => {
    const { transport, namespace } = scene;
    const { crd, resource, object } = thing(scene);
    await established(scene, crd);
    const old = await transport.create(resource, object({ namespace, name: "a" }));
    await change(scene, crd, (spec) => ({
      ...spec,
      versions: [
        { ...version("v1", anything), storage: false },
        version("v2", { ...anything, description: "The next one." }),
      ],
    }));
    expect(await transport.get(definitions, keyOf(crd))).toMatchObject({ status: { storedVersions: ["v1", "v2"] } });
    const second = { ...resource, version: "v2" };
    await scene.eventually(async () => {
      expect(await transport.get(second, keyOf(old))).toEqual({ ...old, apiVersion: `${resource.group}/v2` });
    });
    // A write that changes nothing is made all the same, as it moves the object to the new version.
    const rewritten = await transport.update(second, await transport.get(second, keyOf(old)));
    expect(rewritten.metadata.resourceVersion).not.toBe(old.metadata.resourceVersion);
    const again = await transport.update(second, rewritten);
    expect(again.metadata.resourceVersion).toBe(rewritten.metadata.resourceVersion);
    const current = await transport.get(definitions, keyOf(crd));
    const status = { ...(current["status"] as JsonObject), storedVersions: ["v2"] };
    const shrunk = await transport.update(definitions, { ...current, status }, { subresource: "status" });
    expect(shrunk).toMatchObject({ status: { storedVersions: ["v2"] } });
    await change(scene, crd, (spec) => ({ ...spec, versions: [version("v2", anything)] }));
    await scene.eventually(async () => {
      expect(await gone(transport.get(resource, keyOf(old)))).toBe(true);
    });
    await transport.delete(definitions, keyOf(crd));
  });

  sentence("a version that is not served is not found", async (scene) => {
    const { transport } = scene;
    const { crd, resource } = thing(scene);
    const versions = [version("v1", anything), { ...version("v0", anything), served: false, storage: false }];
    await established(scene, { ...crd, spec: { ...(crd["spec"] as JsonObject), versions } });
    expect(await gone(transport.list({ ...resource, version: "v0" }))).toBe(true);
    await transport.delete(definitions, keyOf(crd));
  });

  sentence("a definition is called by plural and group", async (scene) => {
    const { crd, group } = thing(scene);
    expect(await refused(scene.transport.create(definitions, { ...crd, metadata: { name: "other" } }))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `CustomResourceDefinition.apiextensions.k8s.io "other" is invalid: metadata.name: Invalid value: "other": must be spec.names.plural+"."+spec.group`,
    });
    expect(group).not.toBe("");
  });

  sentence("a schema has to be structural", async (scene) => {
    const { crd } = thing(scene, { type: "object", properties: { spec: { properties: { a: { type: "string" } } } } });
    expect(await refused(scene.transport.create(definitions, crd))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `CustomResourceDefinition.apiextensions.k8s.io "${crd.metadata.name}" is invalid: spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields`,
    });
  });

  sentence("a definition keeps its scope, and the versions in which objects are stored", async (scene) => {
    const { crd } = thing(scene);
    await established(scene, crd);
    const name = crd.metadata.name ?? "";
    expect(await refused(change(scene, crd, (spec) => ({ ...spec, scope: "Cluster" })))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `CustomResourceDefinition.apiextensions.k8s.io "${name}" is invalid: spec.scope: Invalid value: "Cluster": field is immutable`,
    });
    expect(await refused(change(scene, crd, (spec) => ({ ...spec, versions: [version("v2", anything)] })))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `CustomResourceDefinition.apiextensions.k8s.io "${name}" is invalid: status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions`,
    });
    await scene.transport.delete(definitions, keyOf(crd));
  });

  sentence("a definition has exactly one storage version", async (scene) => {
    const { crd } = thing(scene);
    const versions = [version("v1", anything), version("v2", anything)];
    const call = scene.transport.create(definitions, { ...crd, spec: { ...(crd["spec"] as JsonObject), versions } });
    const { code, reason, message } = await refusal(call);
    expect({ code, reason }).toEqual({ code: 422, reason: "Invalid" });
    expect(message).toContain("must have exactly one version marked as storage version");
  });

  sentence("a deprecated version is warned of", async ({ transport, namespace }) => {
    const heard = warnings();
    await transport.list(deprecatedWidgets, { namespace, ...heard });
    expect(heard.texts).toEqual([`${widgetGroup}/v1beta1 Widget is deprecated; use ${widgetGroup}/v1 Widget`]);
  });
}

interface Thing {
  readonly group: string;
  readonly crd: KubeObject;
  readonly resource: GroupVersionResource;
  readonly object: (metadata: KubeObject["metadata"]) => KubeObject;
}

/** A definition that no other test has. */
function thing({ word }: Scene, schema: JsonObject = anything): Thing {
  const group = `g${word}.example.com`;
  return {
    group,
    resource: { group, version: "v1", resource: "things" },
    crd: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "things", kind: "Thing" },
        versions: [version("v1", schema)],
      },
    },
    object: (metadata) => ({ apiVersion: `${group}/v1`, kind: "Thing", metadata }),
  };
}

function version(name: string, openAPIV3Schema: JsonObject): JsonObject {
  return { name, served: true, storage: true, schema: { openAPIV3Schema } };
}

function withNames(crd: KubeObject, names: { readonly plural: string } & JsonObject): KubeObject {
  const spec = crd["spec"] as JsonObject & { readonly group: string };
  return {
    ...crd,
    metadata: { name: `${names.plural}.${spec.group}` },
    spec: { ...spec, names },
  };
}

async function established({ transport, eventually }: Scene, crd: KubeObject): Promise<void> {
  await transport.create(definitions, crd);
  const { group, names } = crd["spec"] as { readonly group: string; readonly names: { readonly plural: string } };
  await eventually(async () => {
    await transport.list({ group, version: "v1", resource: names.plural });
  });
}

async function change(
  { transport }: Scene,
  crd: KubeObject,
  next: (spec: JsonObject) => JsonObject,
): Promise<KubeObject> {
  const current = await transport.get(definitions, keyOf(crd));
  return await transport.update(definitions, { ...current, spec: next(current["spec"] as JsonObject) });
}

/** True where a resource is not served, in whatever words that is said. */
async function gone(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (error) {
    return /could not find the requested resource|404 page not found/.test(String(error));
  }
}
