import { fieldAt, type JsonObject, type KubeObject } from "#machinery";
import { expect } from "vitest";
import { keyOf, refused, type Sentence, warnings } from "./scene.ts";
import { changed, openWebhook, reviewed } from "./webhook-server.ts";
import { resourceOf, webhook, withHooks } from "./webhook-scene.ts";
import { configMap, configMaps, deprecatedWidgets, group, widget, widgets } from "./widget.ts";

const namespaces = { group: "", version: "v1", resource: "namespaces" };
const onWidgets = (more: JsonObject = {}): JsonObject => ({
  rules: [{ apiGroups: [group], apiVersions: ["v1"], resources: ["widgets", "widgets/*"], operations: ["*"], ...more }],
});

/** What webhooks are asked, and what becomes of their answers. */
export function admissionWebhookSentences(sentence: Sentence): void {
  sentence("webhooks are told what is to become of which object, and how", async (scene) => {
    const { transport, namespace } = scene;
    const wishes = { mutating: [{ name: "m" }], validating: [{ name: "v" }] };
    await withHooks(scene, wishes, async ({ taken }) => {
      const about = { kind: { group: "", version: "v1", kind: "ConfigMap" }, resource: configMaps };
      const same = { ...about, requestKind: about.kind, requestResource: about.resource, namespace };
      const map = (metadata: object, data: object): JsonObject =>
        ({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, ...metadata }, data }) as unknown as JsonObject;
      const options = (kind: string, more: object = {}) => ({ kind, apiVersion: "meta.k8s.io/v1", ...more });
      const [m, v] = [{ path: "/m?timeout=5s" }, { path: "/v?timeout=5s" }];

      const key = { namespace, name: "a" };
      await transport.create(configMaps, configMap(key, { a: "1" }), { fieldManager: "me" });
      const creating = { ...same, name: "a", operation: "CREATE", oldObject: null, dryRun: false };
      const created = { ...creating, options: options("CreateOptions", { fieldManager: "me" }) };
      expect(taken()).toEqual([
        { ...m, ...created, object: map({ name: "a" }, { a: "1" }) },
        { ...v, ...created, object: map({ name: "a", uid: "known" }, { a: "1" }) },
      ]);

      const known = { uid: "known", resourceVersion: "known" };
      await transport.update(configMaps, configMap(key, { a: "2" }));
      const updating = { ...same, name: "a", operation: "UPDATE", dryRun: false, options: options("UpdateOptions") };
      const before = map({ name: "a", ...known }, { a: "1" });
      expect(taken()).toEqual([
        { ...m, ...updating, object: map({ name: "a" }, { a: "2" }), oldObject: before },
        { ...v, ...updating, object: map({ name: "a", ...known }, { a: "2" }), oldObject: before },
      ]);

      await transport.patch(configMaps, key, { kind: "merge", patch: { data: { b: "3" } } }, { dryRun: true });
      const trying = { ...updating, dryRun: true, options: options("UpdateOptions", { dryRun: ["All"] }) };
      const after = map({ name: "a", ...known }, { a: "2", b: "3" });
      const oldObject = map({ name: "a", ...known }, { a: "2" });
      expect(taken()).toEqual([
        { ...m, ...trying, object: after, oldObject },
        { ...v, ...trying, object: after, oldObject },
      ]);

      await transport.apply(configMaps, configMap({ namespace, name: "b" }, { a: "1" }), { fieldManager: "ap" });
      expect(taken()).toMatchObject([
        { ...m, operation: "CREATE", options: options("CreateOptions", { fieldManager: "ap" }) },
        { ...v, operation: "CREATE", options: options("CreateOptions", { fieldManager: "ap" }) },
      ]);

      await transport.delete(configMaps, key, { propagationPolicy: "Background", gracePeriodSeconds: 0 });
      const how = options("DeleteOptions", { propagationPolicy: "Background", gracePeriodSeconds: 0 });
      const deleting = {
        ...same,
        name: "a",
        operation: "DELETE",
        dryRun: false,
        options: how,
        object: null,
        oldObject,
      };
      expect(taken()).toEqual([
        { ...m, ...deleting },
        { ...v, ...deleting },
      ]);

      await transport.create(configMaps, configMap({ namespace, generateName: "g-" }));
      expect(taken().map(({ path, name }) => [path, typeof name])).toEqual([
        ["/m?timeout=5s", "undefined"],
        ["/v?timeout=5s", "string"],
      ]);

      await transport.deleteCollection(configMaps, { namespace, fieldSelector: "metadata.name=b" });
      expect(taken()).toMatchObject([
        { ...m, operation: "DELETE", oldObject: { metadata: { name: "b" } } },
        { ...v, operation: "DELETE", oldObject: { metadata: { name: "b" } } },
      ]);
    });
  });

  sentence("a review says who asks, and the webhook is spoken to as by the real server", async (scene) => {
    const { transport, namespace } = scene;
    await withHooks(scene, { validating: [{ name: "v" }] }, async ({ hook }) => {
      await transport.create(configMaps, configMap({ namespace, name: "a" }));
      const [asked] = hook.asked;
      expect(asked?.review).toMatchObject({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" });
      expect(fieldAt(asked?.request, "uid")).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      expect(fieldAt(asked?.request, "userInfo", "groups")).toContain("system:masters");
      expect(asked?.headers).toMatchObject({
        "user-agent": "kube-apiserver-admission",
        accept: "application/json, */*",
        "content-type": "application/json",
      });
    });
  });

  sentence("what a webhook changes is stored, with defaults, and owned by nobody", async (scene) => {
    const { transport, namespace } = scene;
    const wishes = {
      mutating: [
        { name: "one", more: onWidgets() },
        { name: "two", more: onWidgets() },
      ],
    };
    const seen: unknown[] = [];
    await withHooks(
      scene,
      wishes,
      async () => {
        const created = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
        expect(created["spec"]).toMatchObject({
          size: 1,
          limits: { x: { most: 7, least: 2 } },
          labels: { added: "yes" },
        });
        expect(created["spec"]).not.toHaveProperty("unheardOf");
        expect(JSON.stringify(created.metadata.managedFields)).not.toMatch(/limits|added/);
        // What one webhook did, with its defaults, is what the next one sees.
        expect(seen).toEqual([{ x: { most: 7, least: 2 } }]);
      },
      (asked) => {
        const spec = fieldAt(asked.request, "object", "spec");
        if (asked.path.startsWith("/one")) {
          return changed(asked, [
            { op: "add", path: "/spec/limits", value: { x: { least: 2 } } },
            { op: "add", path: "/spec/unheardOf", value: 1 },
          ]);
        }
        seen.push(fieldAt(spec, "limits"));
        return changed(asked, [{ op: "add", path: "/spec/labels", value: { added: "yes" } }]);
      },
    );
  });

  sentence("webhooks see the status and the scale of an object as what they are", async (scene) => {
    const { transport, namespace } = scene;
    const more = onWidgets();
    const key = { namespace, name: "a" };
    await transport.create(widgets, widget(key, { spec: { size: 1, replicas: 1 } }));
    await withHooks(
      scene,
      { mutating: [{ name: "m", more }], validating: [{ name: "v", more }] },
      async ({ taken }) => {
        const current = await transport.get(widgets, key);
        const sent: KubeObject = { ...current, spec: { size: 9 }, status: { phase: "Up" } };
        const updated = await transport.update(widgets, sent, { subresource: "status" });
        expect(updated).toMatchObject({ spec: { size: 1 }, status: { phase: "Up" } });
        const part = { subResource: "status", requestSubResource: "status", operation: "UPDATE" };
        expect(taken()).toMatchObject([
          { ...part, kind: { kind: "Widget" }, object: { spec: { size: 9 }, status: { phase: "Up" } } },
          { ...part, kind: { kind: "Widget" }, object: { spec: { size: 1 }, status: { phase: "Up" } } },
        ]);
        const patch = { kind: "merge", patch: { spec: { replicas: 3 } } } as const;
        const scaled = await transport.patch(widgets, key, patch, { subresource: "scale" });
        expect(scaled).toMatchObject({ kind: "Scale", spec: { replicas: 77 } });
        const scale = {
          subResource: "scale",
          kind: { group: "autoscaling", version: "v1", kind: "Scale" },
          requestKind: { group: "autoscaling", version: "v1", kind: "Scale" },
          resource: widgets,
          oldObject: { kind: "Scale", apiVersion: "autoscaling/v1", spec: { replicas: 1 } },
        };
        expect(taken()).toMatchObject([
          { ...scale, object: { kind: "Scale", spec: { replicas: 3 } } },
          { ...scale, object: { kind: "Scale", spec: { replicas: 77 } } },
        ]);
      },
      (asked) =>
        asked.path.startsWith("/m") && asked.request["subResource"] === "scale"
          ? changed(asked, [{ op: "replace", path: "/spec/replicas", value: 77 }])
          : reviewed(asked, {}),
    );
  });

  sentence("a rule for one version is a rule for all of them, unless it is to be exact", async (scene) => {
    const { transport, namespace } = scene;
    const wishes = {
      validating: [
        { name: "any", more: onWidgets() },
        { name: "exact", more: { ...onWidgets(), matchPolicy: "Exact" } },
      ],
    };
    await withHooks(scene, wishes, async ({ taken }) => {
      const older = { ...widget({ namespace, name: "a" }), apiVersion: `${group}/v1beta1` };
      await transport.create(deprecatedWidgets, older);
      expect(taken()).toMatchObject([
        {
          path: "/any?timeout=5s",
          kind: { version: "v1" },
          resource: { version: "v1" },
          requestKind: { version: "v1beta1" },
          requestResource: { version: "v1beta1" },
          object: { apiVersion: `${group}/v1` },
        },
      ]);
    });
  });

  sentence("a webhook in another version changes the object in that version", async (scene) => {
    const { transport, namespace } = scene;
    await withHooks(
      scene,
      { mutating: [{ name: "m", more: onWidgets() }] },
      async () => {
        const older = { ...widget({ namespace, name: "a" }, { spec: { size: 1 } }), apiVersion: `${group}/v1beta1` };
        expect(await transport.create(deprecatedWidgets, older)).toMatchObject({
          apiVersion: `${group}/v1beta1`,
          spec: { size: 2 },
        });
      },
      (asked) => changed(asked, [{ op: "replace", path: "/spec/size", value: 2 }]),
    );
  });

  sentence("a webhook is asked about objects with certain labels, old or new", async (scene) => {
    const { transport, namespace } = scene;
    const more = { objectSelector: { matchLabels: { watched: "yes" } } };
    await withHooks(scene, { validating: [{ name: "v", more }] }, async ({ taken }) => {
      await transport.create(configMaps, configMap({ namespace, name: "a" }));
      await transport.create(configMaps, configMap({ namespace, name: "b", labels: { watched: "yes" } }));
      const key = { namespace, name: "b" };
      await transport.patch(configMaps, key, { kind: "merge", patch: { metadata: { labels: null } } });
      await transport.patch(configMaps, key, { kind: "merge", patch: { data: { a: "b" } } });
      await transport.delete(configMaps, { namespace, name: "a" });
      expect(taken().map(({ operation, name }) => [operation, name])).toEqual([
        ["CREATE", "b"],
        ["UPDATE", "b"],
      ]);
    });
  });

  sentence("a namespace is selected by its own labels, as they are to be", async (scene) => {
    const { transport, word } = scene;
    const more = {
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"], operations: ["*"], scope: "Cluster" }],
      namespaceSelector: { matchLabels: { special: word } },
    };
    await withHooks(scene, { validating: [{ name: "v", more }] }, async ({ taken }) => {
      const name = `special-${word}`;
      const labels = { special: word };
      await transport.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
      await transport.patch(
        namespaces,
        { name },
        { kind: "merge", patch: { metadata: { labels: { special: null } } } },
      );
      await transport.patch(namespaces, { name }, { kind: "merge", patch: { metadata: { labels } } });
      expect(taken().map((asked) => [asked["operation"], asked["name"], asked["namespace"]])).toEqual([
        ["CREATE", name, name],
        ["UPDATE", name, name],
      ]);
      await transport.delete(namespaces, { name });
      expect(taken()[0]).toMatchObject({ operation: "DELETE", name, namespace: name });
    });
  });

  sentence("a webhook is asked only where all its conditions hold", async (scene) => {
    const { transport, namespace } = scene;
    const conditions = (...expressions: readonly string[]) => ({
      matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    });
    const more = conditions("request.operation == 'CREATE'", "object.metadata.name.startsWith('x')");
    const wishes = {
      validating: [
        { name: "v", more },
        { name: "w", more: { ...conditions("object.data.zz == '1'"), failurePolicy: "Ignore" } },
      ],
    };
    await withHooks(scene, wishes, async ({ taken }) => {
      for (const name of ["a", "x"]) await transport.create(configMaps, configMap({ namespace, name }, { a: "1" }));
      await transport.delete(configMaps, { namespace, name: "x" });
      expect(taken().map(({ path, name }) => [path, name])).toEqual([["/v?timeout=5s", "x"]]);
    });
    const failing = [{ name: "v", more: conditions("object.data.zz == '1'", "object.data.yy == '1'") }];
    await withHooks(scene, { validating: failing }, async () => {
      const why = (key: string) => `expression 'object.data.${key} == '1'' resulted in error: no such key: ${key}`;
      expect(await refused(transport.create(configMaps, configMap({ namespace, name: "y" }, { a: "1" })))).toEqual({
        code: 403,
        reason: "Forbidden",
        message: `configmaps "y" is forbidden: [${why("zz")}, ${why("yy")}]`,
      });
    });
  });

  sentence("a condition that cannot be compiled is refused", async (scene) => {
    const { transport, word } = scene;
    const hook = await openWebhook((asked) => reviewed(asked, {}));
    const matchConditions = [{ name: "c", expression: "foo.bar" }];
    const create = transport.create(resourceOf("validating"), {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: `hooks-${word}` },
      webhooks: [webhook(scene, hook, { name: "v", more: { matchConditions } })],
    });
    expect(await refused(create)).toEqual({
      code: 422,
      reason: "Invalid",
      message: `ValidatingWebhookConfiguration.admissionregistration.k8s.io "hooks-${word}" is invalid: webhooks[0].matchConditions[0].expression: Invalid value: "foo.bar": compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo.bar\n | ^`,
    });
    await hook.close();
  });

  sentence("webhooks that change come in order, and once more where that is needed", async (scene) => {
    const { transport, namespace } = scene;
    const more = { reinvocationPolicy: "IfNeeded" };
    const mutating = [{ name: "first", more }, { name: "second" }, { name: "third", more }, { name: "fourth" }];
    await withHooks(
      scene,
      { mutating },
      async ({ taken }) => {
        const created = await transport.create(configMaps, configMap({ namespace, name: "a" }, {}));
        // What the first one changes when it is asked again concerns those after it who want to know.
        expect(taken().map(({ path }) => path)).toEqual(
          ["first", "second", "third", "fourth", "first", "third"].map((name) => `/${name}?timeout=5s`),
        );
        expect(created).toMatchObject({ data: { second: "yes", first: "yes" } });
      },
      (asked) => {
        if (asked.path.startsWith("/second")) {
          return changed(asked, [{ op: "add", path: "/data", value: { second: "yes" } }]);
        }
        const isAgain = fieldAt(asked.request, "object", "data", "second") !== undefined;
        if (!asked.path.startsWith("/first") || !isAgain) return reviewed(asked, {});
        return changed(asked, [{ op: "add", path: "/data/first", value: "yes" }]);
      },
    );
  });

  sentence("configurations of webhooks are no business of webhooks", async (scene) => {
    const { transport, word } = scene;
    const rules = [
      { apiGroups: ["admissionregistration.k8s.io"], apiVersions: ["*"], resources: ["*"], operations: ["*"] },
    ];
    await withHooks(scene, { validating: [{ name: "v", more: { rules } }] }, async ({ taken }) => {
      const other = { apiVersion: "admissionregistration.k8s.io/v1", kind: "MutatingWebhookConfiguration" };
      const created = await transport.create(resourceOf("mutating"), { ...other, metadata: { name: `other-${word}` } });
      await transport.delete(resourceOf("mutating"), keyOf(created));
      expect(taken()).toEqual([]);
    });
  });

  sentence("warnings of webhooks reach the caller, each once", async (scene) => {
    const { transport, namespace } = scene;
    await withHooks(
      scene,
      { mutating: [{ name: "m" }], validating: [{ name: "v" }] },
      async () => {
        const heard = warnings();
        await transport.create(configMaps, configMap({ namespace, name: "a" }), { onWarning: heard.onWarning });
        expect([...new Set(heard.texts)]).toEqual(['mind the "gap"']);
      },
      (asked) => reviewed(asked, { warnings: ['mind the "gap"'] }),
    );
  });
}
