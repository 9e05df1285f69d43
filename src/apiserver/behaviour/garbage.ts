import type { KubeObject, OwnerReference } from "#machinery";
import { expect } from "vitest";
import { found, keyOf, type Scene, type Sentence } from "./scene.ts";
import { configMap, configMaps, gadget, gadgets, widget, widgets } from "./widget.ts";

/** What becomes of dependents. */
export function garbageSentences(sentence: Sentence): void {
  sentence("dependents go after their owner", async (scene) => {
    const owner = await create(scene, "owner");
    const dependent = await create(scene, "dependent", [refer(owner)]);
    const second = await create(scene, "second", [refer(dependent)]);
    await scene.transport.delete(widgets, keyOf(owner));
    await gone(scene, dependent);
    await gone(scene, second);
  });

  sentence("an owner that is deleted in the foreground goes last", async (scene) => {
    const { transport } = scene;
    const owner = await create(scene, "owner");
    const dependent = await create(scene, "dependent", [refer(owner, { blockOwnerDeletion: true })], ["e.com/hold"]);
    const marked = await transport.delete(widgets, keyOf(owner), { propagationPolicy: "Foreground" });
    expect(marked).toMatchObject({ metadata: { finalizers: ["foregroundDeletion"] } });
    await scene.eventually(async () => {
      const { metadata } = await transport.get(widgets, keyOf(dependent));
      expect(metadata.deletionTimestamp).toBeDefined();
    });
    expect(await found(transport.get(widgets, keyOf(owner)))).toBeDefined();
    await release(scene, dependent);
    await gone(scene, dependent);
    await gone(scene, owner);
  });

  sentence("dependents that do not block their owner do not hold it", async (scene) => {
    const { transport } = scene;
    const owner = await create(scene, "owner");
    const dependent = await create(scene, "dependent", [refer(owner)], ["e.com/hold"]);
    await transport.delete(widgets, keyOf(owner), { propagationPolicy: "Foreground" });
    await gone(scene, owner);
    await scene.eventually(async () => {
      const { metadata } = await transport.get(widgets, keyOf(dependent));
      expect(metadata.deletionTimestamp).toBeDefined();
    });
    await release(scene, dependent);
  });

  sentence("the foreground goes all the way down", async (scene) => {
    const owner = await create(scene, "owner");
    const child = await create(scene, "child", [refer(owner, { blockOwnerDeletion: true })]);
    const grandchild = await create(scene, "grandchild", [refer(child, { blockOwnerDeletion: true })], ["e.com/hold"]);
    await scene.transport.delete(widgets, keyOf(owner), { propagationPolicy: "Foreground" });
    await scene.eventually(async () => {
      const { metadata } = await scene.transport.get(widgets, keyOf(grandchild));
      expect(metadata.deletionTimestamp).toBeDefined();
    });
    expect((await scene.transport.get(widgets, keyOf(child))).metadata.finalizers).toEqual(["foregroundDeletion"]);
    await release(scene, grandchild);
    await gone(scene, child);
    await gone(scene, owner);
  });

  sentence("orphans lose their owner and stay", async (scene) => {
    const { transport } = scene;
    const owner = await create(scene, "owner");
    const dependent = await create(scene, "dependent", [refer(owner)]);
    await transport.delete(widgets, keyOf(owner), { propagationPolicy: "Orphan" });
    await gone(scene, owner);
    const { metadata } = await transport.get(widgets, keyOf(dependent));
    expect(metadata).not.toHaveProperty("ownerReferences");
  });

  sentence("an object whose owners never were is deleted", async (scene) => {
    const owner = await create(scene, "owner");
    await scene.transport.delete(widgets, keyOf(owner));
    const late = await create(scene, "late", [refer(owner)]);
    await gone(scene, late);
  });

  sentence("an owner that came again under its name is another one", async (scene) => {
    const owner = await create(scene, "owner");
    await scene.transport.delete(widgets, keyOf(owner));
    await create(scene, "owner");
    const late = await create(scene, "late", [refer(owner)]);
    await gone(scene, late);
  });

  sentence("one owner of two is enough, and the other is forgotten", async (scene) => {
    const [one, two] = [await create(scene, "one"), await create(scene, "two")];
    const dependent = await create(scene, "dependent", [refer(one), refer(two)]);
    await scene.transport.delete(widgets, keyOf(one));
    await scene.eventually(async () => {
      const { metadata } = await scene.transport.get(widgets, keyOf(dependent));
      expect(metadata.ownerReferences).toEqual([refer(two)]);
    });
  });

  sentence("an owner of an unknown kind keeps its dependents", async (scene) => {
    const stranger = { apiVersion: "nowhere.example.com/v1", kind: "Stranger", name: "s", uid: "44444444" };
    const dependent = await create(scene, "dependent", [stranger]);
    await scene.eventually(() => Promise.resolve());
    expect(await found(scene.transport.get(widgets, keyOf(dependent)))).toBeDefined();
  });

  sentence("an owner in another namespace counts as absent", async (scene) => {
    const { transport, namespace } = scene;
    const owner = await create(scene, "owner");
    const elsewhere = await transport.create(
      configMaps,
      configMap({ namespace: "default", name: `far-${namespace}`, ownerReferences: [refer(owner)] }),
    );
    await scene.eventually(async () => {
      expect(await found(transport.get(configMaps, keyOf(elsewhere)))).toBeUndefined();
    });
  });

  sentence("a cluster-scoped owner owns in every namespace", async (scene) => {
    const { transport, word } = scene;
    const owner = await transport.create(gadgets, gadget({ name: `owner-${word}` }));
    const dependent = await create(scene, "dependent", [refer(owner)]);
    await scene.eventually(async () => {
      expect(await found(transport.get(widgets, keyOf(dependent)))).toBeDefined();
    });
    await transport.delete(gadgets, keyOf(owner));
    await gone(scene, dependent);
  });
}

async function create(
  { transport, namespace }: Scene,
  name: string,
  ownerReferences: readonly OwnerReference[] = [],
  finalizers: readonly string[] = [],
): Promise<KubeObject> {
  return await transport.create(widgets, widget({ namespace, name, ownerReferences, finalizers }));
}

function refer({ apiVersion, kind, metadata }: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion, kind, name, uid, ...more };
}

async function gone({ transport, eventually }: Scene, object: KubeObject): Promise<void> {
  await eventually(async () => {
    expect(await found(transport.get(widgets, keyOf(object)))).toBeUndefined();
  });
}

async function release({ transport }: Scene, object: KubeObject): Promise<void> {
  await transport.patch(widgets, keyOf(object), { kind: "merge", patch: { metadata: { finalizers: null } } });
}
