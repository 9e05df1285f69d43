import type { KubeObject } from "#machinery";
import { expect } from "vitest";
import { brief, watching } from "./events-of.ts";
import { keyOf, refused, type Sentence } from "./scene.ts";
import { secrets } from "./widget.ts";

const coreEvents = { group: "", version: "v1", resource: "events" };
const newEvents = { group: "events.k8s.io", version: "v1", resource: "events" };

/** Events, and other kinds with rules of their own. */
export function eventSentences(sentence: Sentence): void {
  sentence("one store of events is shown by two groups, each in its own words", async ({ transport, namespace }) => {
    const created = await transport.create(coreEvents, event(namespace));
    expect(created).toMatchObject({ reason: "Tested", message: "It was.", source: {}, eventTime: null });
    const shown = await transport.get(newEvents, keyOf(created));
    expect(shown).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      metadata: { uid: created.metadata.uid, resourceVersion: created.metadata.resourceVersion },
      regarding: { kind: "Widget", name: "w", namespace },
      note: "It was.",
    });
    expect(shown).not.toHaveProperty("message");
  });

  sentence("both groups select events by what they are about", async ({ transport, namespace }) => {
    await transport.create(coreEvents, event(namespace));
    const count = async (resource: typeof coreEvents, fieldSelector: string) =>
      (await transport.list(resource, { namespace, fieldSelector })).items.length;
    expect(await count(coreEvents, "involvedObject.name=w,reason=Tested")).toBe(1);
    expect(await count(coreEvents, "involvedObject.name=x")).toBe(0);
    expect(await count(newEvents, "regarding.name=w,reason=Tested")).toBe(1);
    expect(await count(newEvents, "regarding.name=x")).toBe(0);
    expect(await refused(transport.list(newEvents, { namespace, fieldSelector: "message=x" }))).toMatchObject({
      code: 400,
      message: "field label not supported: message",
    });
  });

  sentence("what one group writes the other one watches", async ({ transport, namespace }) => {
    const { metadata } = await transport.list(newEvents, { namespace });
    const { resourceVersion = "" } = metadata;
    const watch = watching(transport, newEvents, { namespace, resourceVersion });
    const created = await transport.create(coreEvents, event(namespace));
    const [seen] = await watch.take(1);
    expect(seen).toMatchObject({ kind: "added", object: { apiVersion: "events.k8s.io/v1", note: "It was." } });
    await transport.delete(newEvents, keyOf(created));
    expect((await watch.take(1)).map(brief)).toEqual(["deleted e"]);
    expect((await transport.list(coreEvents, { namespace })).items).toEqual([]);
    await watch.stop();
  });

  sentence("who watches one group gets its words, whoever watches the other one", async ({ transport, namespace }) => {
    const { metadata } = await transport.list(coreEvents, { namespace });
    const { resourceVersion = "" } = metadata;
    const [core, newer] = [coreEvents, newEvents].map((each) =>
      watching(transport, each, { namespace, resourceVersion }),
    );
    await transport.create(coreEvents, event(namespace));
    expect(await core?.take(1)).toMatchObject([{ object: { apiVersion: "v1", message: "It was." } }]);
    expect(await newer?.take(1)).toMatchObject([{ object: { apiVersion: "events.k8s.io/v1", note: "It was." } }]);
    await Promise.all([core?.stop(), newer?.stop()]);
  });

  sentence("an event lives where its object lives", async ({ transport, namespace }) => {
    const call = transport.create(coreEvents, { ...event(namespace), involvedObject: { namespace: "default" } });
    expect(await refused(call)).toEqual({
      code: 422,
      reason: "Invalid",
      message:
        'Event "e" is invalid: involvedObject.namespace: Invalid value: "default": does not match event.namespace',
    });
  });

  sentence("texts of a secret become bytes, its type stays", async ({ transport, namespace }) => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "s" } };
    const created = await transport.create(secrets, { ...secret, stringData: { a: "b" } });
    expect(created).toMatchObject({ data: { a: "Yg==" }, type: "Opaque" });
    expect(created).not.toHaveProperty("stringData");
    expect(await refused(transport.update(secrets, { ...created, type: "e.com/other" }))).toEqual({
      code: 422,
      reason: "Invalid",
      message: 'Secret "s" is invalid: type: Invalid value: "e.com/other": field is immutable',
    });
  });

  sentence("what says of itself that it does not change does not change", async ({ transport, namespace }) => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "s" }, immutable: true };
    const created = await transport.create(secrets, { ...secret, data: { a: "Yg==" } });
    expect(await refused(transport.update(secrets, { ...created, data: { a: "Yw==" } }))).toEqual({
      code: 422,
      reason: "Invalid",
      message: 'Secret "s" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    });
  });
}

function event(namespace: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace, name: "e" },
    involvedObject: { kind: "Widget", name: "w", namespace },
    reason: "Tested",
    message: "It was.",
    type: "Normal",
  };
}
