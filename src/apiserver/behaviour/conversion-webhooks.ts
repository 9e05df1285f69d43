import { fieldAt, type GroupVersionResource, type JsonObject } from "#machinery";
import { expect } from "vitest";
import { brief, watching } from "./events-of.ts";
import { answering, definitions, head, reviewAnswer, success, withThings } from "./conversion-scene.ts";
import { keyOf, refused, type Scene, type Sentence } from "./scene.ts";
import type { Answering } from "./webhook-server.ts";

/** Objects that a webhook brings from one version to another. */
export function conversionWebhookSentences(sentence: Sentence): void {
  sentence("objects are kept in one version and shown in every version", async (scene) => {
    const onlyInNewer = { extra: { type: "string", default: "new" } };
    await withThings(scene, onlyInNewer, async ({ newer, older, thing, hook }) => {
      const { transport, namespace } = scene;
      const created = await transport.create(older, thing("v1beta1", "a", { host: "x" }));
      expect(created).toMatchObject({ apiVersion: `${newer.group}/v1beta1`, spec: { host: "x", since: "old" } });
      expect(created["spec"]).not.toHaveProperty("hostname");
      const key = keyOf(created);
      // What the webhook adds and the version does not know is gone; what the version lacks has its default.
      expect((await transport.get(newer, key))["spec"]).toEqual({ hostname: "x", since: "old", extra: "new" });
      expect((await transport.get(older, key))["spec"]).toEqual({ host: "x", since: "old" });
      await transport.create(newer, thing("v1", "b", { hostname: "y" }));
      const { items } = await transport.list(older, { namespace });
      expect(items.map(({ apiVersion, spec }) => [apiVersion, fieldAt(spec, "host")])).toEqual([
        [`${newer.group}/v1beta1`, "x"],
        [`${newer.group}/v1beta1`, "y"],
      ]);
      const asked = hook.asked.find(({ request }) => fieldAt(request, "desiredAPIVersion") === `${newer.group}/v1`);
      expect(asked).toMatchObject({
        path: "/convert?timeout=30s",
        review: { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" },
        request: { objects: [{ apiVersion: `${newer.group}/v1beta1`, metadata: { name: "a" }, spec: { host: "x" } }] },
      });
    });
  });

  sentence("a watch shows objects in its version", async (scene) => {
    await withThings(scene, {}, async ({ newer, older, thing }) => {
      const { transport, namespace } = scene;
      const first = await transport.create(newer, thing("v1", "a", { hostname: "x" }));
      const { metadata } = await transport.list(older, { namespace });
      const watch = watching(transport, older, { namespace, resourceVersion: metadata.resourceVersion ?? "" });
      await transport.patch(newer, keyOf(first), { kind: "merge", patch: { spec: { hostname: "z" } } });
      await transport.delete(newer, keyOf(first));
      const seen = await watch.take(2);
      await watch.stop();
      expect(seen.map(brief)).toEqual(["modified a", "deleted a"]);
      for (const event of seen) {
        expect(event).toMatchObject({ object: { apiVersion: `${newer.group}/v1beta1`, spec: { host: "z" } } });
      }
    });
  });

  sentence("an object is changed in any version, and its owners are known in each", async (scene) => {
    await withThings(scene, {}, async ({ newer, older, thing }) => {
      const { transport } = scene;
      const options = (fieldManager: string) => ({ fieldManager });
      const created = await transport.create(newer, thing("v1", "a", { hostname: "x" }), options("maker"));
      const key = keyOf(created);
      const shown = await transport.get(older, key);
      await transport.update(older, { ...shown, spec: { host: "y", since: "new" } }, options("updater"));
      expect(await owners(scene, newer, key)).toEqual([
        ["maker", "v1", { "f:spec": { ".": {}, "f:since": {} } }],
        ["updater", "v1beta1", { "f:spec": { "f:host": {} } }],
      ]);

      await transport.apply(older, thing("v1beta1", "a", { host: "z" }), { ...options("applier"), force: true });
      expect(await owners(scene, newer, key)).toEqual([
        ["applier", "v1beta1", { "f:spec": { "f:host": {} } }],
        ["maker", "v1", { "f:spec": { ".": {}, "f:since": {} } }],
      ]);
      const other = transport.apply(newer, thing("v1", "a", { hostname: "other" }), options("rival"));
      expect(await refused(other)).toEqual({
        code: 409,
        reason: "Conflict",
        message: 'Apply failed with 1 conflict: conflict with "applier": .spec.host',
      });
      // The same manager in another version, and then without the field: it goes, because nobody else wants it.
      await transport.apply(newer, thing("v1", "a", { hostname: "w" }), options("applier"));
      expect(await transport.get(older, key)).toMatchObject({ spec: { host: "w" } });
      const left = await transport.apply(newer, thing("v1", "a", {}), options("applier"));
      expect(left["spec"]).toEqual({ since: "new" });
    });
  });

  sentence("a write that changes nothing writes nothing, whatever its version", async (scene) => {
    await withThings(scene, {}, async ({ newer, older, thing }) => {
      const { transport } = scene;
      const created = await transport.create(newer, thing("v1", "a", { hostname: "x" }));
      const patch = { kind: "merge", patch: { spec: { host: "x" } } } as const;
      const patched = await transport.patch(older, keyOf(created), patch);
      expect(patched.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
    });
  });

  sentence("the status is written in any version", async (scene) => {
    await withThings(scene, {}, async ({ newer, older, thing }) => {
      const { transport } = scene;
      const created = await transport.create(newer, thing("v1", "a", { hostname: "x" }));
      const patch = { kind: "merge", patch: { status: { phase: "Up" } } } as const;
      await transport.patch(older, keyOf(created), patch, { subresource: "status" });
      expect(await transport.get(newer, keyOf(created))).toMatchObject({
        metadata: { generation: 1 },
        spec: { hostname: "x" },
        status: { phase: "Up" },
      });
    });
  });

  sentence("objects outlive a change of the version in which they are kept", async (scene) => {
    await withThings(scene, {}, async ({ newer, older, thing, name }) => {
      const { transport, eventually } = scene;
      const created = await transport.create(newer, thing("v1", "a", { hostname: "x" }));
      const key = keyOf(created);
      const definition = await transport.get(definitions, { name });
      const versions = fieldAt(definition, "spec", "versions") as readonly JsonObject[];
      const switched = versions.map((each) => ({ ...each, storage: each["name"] === "v1beta1" }));
      await transport.patch(definitions, { name }, { kind: "merge", patch: { spec: { versions: switched } } });
      await eventually(async () => {
        expect(await transport.get(definitions, { name })).toMatchObject({
          status: { storedVersions: ["v1", "v1beta1"] },
        });
      });
      expect((await transport.get(newer, key))["spec"]).toMatchObject({ hostname: "x" });
      expect((await transport.get(older, key))["spec"]).toMatchObject({ host: "x" });
      const patched = await transport.patch(newer, key, { kind: "merge", patch: { spec: { hostname: "y" } } });
      expect(patched["spec"]).toMatchObject({ hostname: "y" });
      expect((await transport.get(older, key))["spec"]).toMatchObject({ host: "y" });
    });
  });

  sentence("a webhook may change labels and annotations, and no other metadata", async (scene) => {
    await withThings(scene, {}, async ({ newer, older, thing, hook }) => {
      const { transport } = scene;
      const created = await transport.create(newer, thing("v1", "a", { hostname: "x" }));
      hook.answer(
        answering((object) => {
          const { name, namespace, uid } = fieldAt(object, "metadata") as { [key: string]: string };
          const metadata = { name, namespace, uid, labels: { l: "1" }, annotations: { n: "2" }, finalizers: ["x/y"] };
          return { ...object, metadata: metadata as unknown as JsonObject };
        }),
      );
      const { managedFields: _, ...metadata } = (await transport.get(older, keyOf(created))).metadata;
      const { managedFields: __, ...before } = created.metadata;
      expect(metadata).toEqual({ ...before, labels: { l: "1" }, annotations: { n: "2" } });
    });
  });

  sentence("a webhook that does not convert fails the request, in so many words", async (scene) => {
    await withThings(scene, {}, async ({ older, thing, hook }) => {
      const about = `conversion webhook for ${older.group}/v1beta1, Kind=Thing`;
      for (const [answer, said] of failures(about, { group: older.group, url: hook.url })) {
        hook.answer(answer);
        const attempt = scene.transport.create(older, thing("v1beta1", "a", { host: "x" }), { dryRun: true });
        const { code, message } = await refused(attempt);
        expect([code, String(message).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID")]).toEqual([500, said]);
      }
    });
  });
}

/** Answers that are no conversion, and what is said of them. */
function failures(
  about: string,
  { group, url }: { readonly group: string; readonly url: string },
): readonly [Answering, string][] {
  const changed = (change: (object: JsonObject) => JsonObject) => answering(change);
  const inMetadata = (fields: JsonObject) =>
    changed((object) => ({ ...object, metadata: { ...(object["metadata"] as JsonObject), ...fields } }));
  const badName =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  return [
    [reviewAnswer({ result: { status: "Failure", message: "nope" } }), `${about} failed: nope`],
    [
      reviewAnswer({ result: { status: "Failure" } }),
      `${about} failed: response.result.status was 'Failure', not 'Success'`,
    ],
    [reviewAnswer({}), `${about} failed: response.result.status was '', not 'Success'`],
    [
      (asked) => ({ ...head, response: { ...success(asked), uid: "other" } }),
      `${about} failed: expected response.uid="UID", got "other"`,
    ],
    [() => ({ ...head }), `${about} failed: no response provided`],
    [
      (asked) => ({ response: success(asked) }),
      `${about} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=`,
    ],
    [
      (asked) => ({ ...head, apiVersion: "apiextensions.k8s.io/v1beta1", response: success(asked) }),
      `${about} failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion`,
    ],
    [
      (_, response) => {
        response.writeHead(500, { "content-type": "text/plain" });
        response.end("boom");
        return undefined;
      },
      `${about} failed: an error on the server ("boom") has prevented the request from succeeding`,
    ],
    [(_, response) => void response.socket?.destroy(), `${about} failed: Post "${url}/convert?timeout=30s": EOF`],
    [
      (asked) => ({ ...head, response: { ...success(asked), convertedObjects: [] } }),
      `${about} returned 0 objects, expected 1`,
    ],
    [
      changed((object) => ({ ...object, apiVersion: `${group}/v1beta1` })),
      `${about} returned invalid object at index 0: invalid groupVersion (expected ${group}/v1, received ${group}/v1beta1)`,
    ],
    [
      changed((object) => ({ ...object, kind: "Other" })),
      `${about} returned invalid object at index 0: invalid kind (expected Thing, received Other)`,
    ],
    [inMetadata({ name: "zz" }), `${about} returned invalid object: must have the same name: a != zz`],
    [inMetadata({ uid: "" }), `${about} returned invalid object: must have the same UID: UID != `],
    [
      inMetadata({ labels: { "a b": "x" } }),
      `${about} returned invalid metadata: metadata.labels: Invalid value: "a b": ${badName}`,
    ],
    [
      inMetadata({ annotations: { "a b": "x" } }),
      `${about} returned invalid metadata: metadata.annotation: Invalid value: "a b": ${badName}`,
    ],
    [
      inMetadata({ labels: { a: 1 } }),
      `${about} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
    ],
    [
      inMetadata({ labels: "x" }),
      `${about} returned invalid metadata: invalid metadata.labels of type string in converted object`,
    ],
  ];
}

async function owners({ transport }: Scene, resource: GroupVersionResource, key: { readonly name: string }) {
  const { metadata } = await transport.get(resource, key);
  return (metadata.managedFields ?? [])
    .toSorted((a, b) => ((a.manager ?? "") < (b.manager ?? "") ? -1 : 1))
    .map(({ manager, apiVersion = "", fieldsV1 }) => [manager, apiVersion.split("/")[1], fieldsV1]);
}
