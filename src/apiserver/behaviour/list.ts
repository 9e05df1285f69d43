import type { KubeList, ListOptions } from "#machinery";
import { expect } from "vitest";
import { keyOf, refusal, refused, type Scene, type Sentence } from "./scene.ts";
import { configMap, configMaps, deprecatedWidgets, group, secrets, widget, widgets } from "./widget.ts";

/** How objects are listed. */
export function listSentences(sentence: Sentence): void {
  sentence("a list has its kind, the revision of its state and its objects by name", async (scene) => {
    const { transport, namespace } = scene;
    await create(scene, "b", "a", "c");
    const list = await transport.list(widgets, { namespace });
    expect(list).toMatchObject({ apiVersion: `${group}/v1`, kind: "WidgetList" });
    expect(namesOf(list)).toEqual(["a", "b", "c"]);
    const revisions = list.items.map(({ metadata }) => Number(metadata.resourceVersion));
    expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(Math.max(...revisions));
  });

  sentence("a list of all namespaces is in the order of namespace, slash and name", async (scene) => {
    const { transport, word } = scene;
    const app = `app-${word}`;
    const first = scene.namespace;
    const second = `${first}-x`;
    const namespaces = { group: "", version: "v1", resource: "namespaces" };
    await transport.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: second } });
    for (const [namespace, name] of [
      [second, "a"],
      [first, "z"],
      [first, "b"],
    ] as const) {
      await transport.create(configMaps, configMap({ namespace, name, labels: { app } }));
    }
    const { items } = await transport.list(configMaps, { labelSelector: `app=${app}` });
    expect(items.map(({ metadata }) => [metadata.namespace, metadata.name])).toEqual([
      [second, "a"],
      [first, "b"],
      [first, "z"],
    ]);
  });

  sentence("label selectors choose", async (scene) => {
    const { transport, namespace } = scene;
    const labels = { a: { app: "x" }, b: { app: "y", tier: "1" }, c: {}, d: { app: "z" } };
    for (const [name, each] of Object.entries(labels)) {
      await transport.create(widgets, widget({ namespace, name, labels: each }));
    }
    const choices: Readonly<Record<string, readonly string[]>> = {
      "app=x": ["a"],
      "app==x": ["a"],
      "app!=x": ["b", "c", "d"],
      "app in (x,y)": ["a", "b"],
      "app notin (x,y)": ["c", "d"],
      app: ["a", "b", "d"],
      "!app": ["c"],
      "app,tier=1": ["b"],
    };
    for (const [labelSelector, names] of Object.entries(choices)) {
      expect([labelSelector, namesOf(await transport.list(widgets, { namespace, labelSelector }))]).toEqual([
        labelSelector,
        names,
      ]);
    }
    const { code, reason } = await refusal(transport.list(widgets, { namespace, labelSelector: "a=b=c" }));
    expect({ code, reason }).toEqual({ code: 400, reason: "BadRequest" });
  });

  sentence("field selectors choose by name, and by what a kind offers", async (scene) => {
    const { transport, namespace } = scene;
    await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1, color: "green" } }));
    await transport.create(widgets, widget({ namespace, name: "b" }, { spec: { size: 2 } }));
    await transport.create(widgets, widget({ namespace, name: "c" }));
    const choices: Readonly<Record<string, readonly string[]>> = {
      "metadata.name=a": ["a"],
      "metadata.name!=a": ["b", "c"],
      [`metadata.namespace=${namespace}`]: ["a", "b", "c"],
      "spec.color=green": ["a"],
      "spec.color!=green": ["b", "c"],
      "spec.size=2": ["b"],
      "spec.size=": ["c"],
      "spec.color=red,metadata.name=b": ["b"],
    };
    for (const [fieldSelector, names] of Object.entries(choices)) {
      expect([fieldSelector, namesOf(await transport.list(widgets, { namespace, fieldSelector }))]).toEqual([
        fieldSelector,
        names,
      ]);
    }
    for (const resource of [widgets, deprecatedWidgets]) {
      expect(await refused(transport.list(resource, { namespace, fieldSelector: "spec.note=x" }))).toEqual({
        code: 400,
        reason: "BadRequest",
        message: "field label not supported: spec.note",
      });
    }
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "s" }, type: "e.com/t" };
    await transport.create(secrets, secret);
    expect(namesOf(await transport.list(secrets, { namespace, fieldSelector: "type=e.com/t" }))).toEqual(["s"]);
  });

  sentence("a list comes in pages of one state", async (scene) => {
    const { transport, namespace } = scene;
    await create(scene, "a", "b", "c", "d", "e");
    const first = await transport.list(widgets, { namespace, limit: 2 });
    expect(namesOf(first)).toEqual(["a", "b"]);
    expect(first.metadata.remainingItemCount).toBe(3);
    await create(scene, "bb");
    await transport.delete(widgets, { namespace, name: "d" });
    const second = await transport.list(widgets, { namespace, limit: 2, ...after(first) });
    expect(namesOf(second)).toEqual(["c", "d"]);
    expect(second.metadata).toMatchObject({
      resourceVersion: first.metadata.resourceVersion,
      remainingItemCount: 1,
    });
    const third = await transport.list(widgets, { namespace, limit: 2, ...after(second) });
    expect(namesOf(third)).toEqual(["e"]);
    expect(third.metadata.continue ?? "").toBe("");
    expect(third.metadata).not.toHaveProperty("remainingItemCount");
  });

  sentence("a page of a selection does not tell how many are left", async (scene) => {
    const { transport, namespace } = scene;
    for (const name of ["a", "b", "c"])
      await transport.create(widgets, widget({ namespace, name, labels: { x: "y" } }));
    const page = await transport.list(widgets, { namespace, limit: 1, labelSelector: "x=y" });
    expect(page.metadata).not.toHaveProperty("remainingItemCount");
    expect(
      namesOf(await transport.list(widgets, { namespace, limit: 5, labelSelector: "x=y", ...after(page) })),
    ).toEqual(["b", "c"]);
  });

  sentence("a list at any state knows no pages", async (scene) => {
    const { transport, namespace, eventually } = scene;
    await create(scene, "a", "b", "c");
    await eventually(async () => {
      const list = await transport.list(widgets, { namespace, limit: 1, resourceVersion: "0" });
      expect(namesOf(list)).toEqual(["a", "b", "c"]);
      expect(list.metadata.continue ?? "").toBe("");
    });
  });

  sentence("a list can be of exactly one revision", async (scene) => {
    const { transport, namespace } = scene;
    await create(scene, "a");
    const { metadata } = await transport.list(widgets, { namespace });
    const { resourceVersion = "" } = metadata;
    await create(scene, "b");
    await transport.delete(widgets, { namespace, name: "a" });
    const exact = await transport.list(widgets, { namespace, resourceVersion, resourceVersionMatch: "Exact" });
    expect(namesOf(exact)).toEqual(["a"]);
    expect(exact.metadata.resourceVersion).toBe(resourceVersion);
    const fresh = await transport.list(widgets, { namespace, resourceVersion, resourceVersionMatch: "NotOlderThan" });
    expect(namesOf(fresh)).toEqual(["b"]);
    expect(Number(fresh.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
    const page = await transport.list(widgets, { namespace, resourceVersion, resourceVersionMatch: "Exact", limit: 1 });
    expect(namesOf(page)).toEqual(["a"]);
  });

  const contradictions: readonly [what: string, options: ListOptions, problem: string][] = [
    [
      "a match without a revision",
      { resourceVersionMatch: "Exact" },
      "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
    ],
    [
      "an exact match of any revision",
      { resourceVersionMatch: "Exact", resourceVersion: "0" },
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      "an unknown match",
      { resourceVersionMatch: "Newest" as never, resourceVersion: "1" },
      'resourceVersionMatch: Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
    ],
  ];
  for (const [what, options, problem] of contradictions) {
    sentence(`${what} is refused`, async ({ transport, namespace }) => {
      expect(await refused(transport.list(widgets, { namespace, ...options }))).toEqual({
        code: 422,
        reason: "Invalid",
        message: `ListOptions.meta.k8s.io "" is invalid: ${problem}`,
      });
    });
  }

  sentence("a revision that is no number is a bad request", async ({ transport, namespace }) => {
    expect(await refused(transport.list(widgets, { namespace, resourceVersion: "x" }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message:
        'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    });
  });

  sentence("a token that nobody gave out is a bad request", async ({ transport, namespace }) => {
    const { code, reason, message } = await refusal(transport.list(widgets, { namespace, limit: 1, continue: "abc" }));
    expect({ code, reason }).toEqual({ code: 400, reason: "BadRequest" });
    expect(message).toMatch(/^(invalid continue token: )?continue key is not valid: /);
  });

  sentence("a revision that is not there yet is waited for, and then given up", async (scene) => {
    const { transport, namespace, advance } = scene;
    const current = await transport.list(widgets, { namespace });
    const wanted = String(Number(current.metadata.resourceVersion) + 1_000_000);
    const call = refusal(transport.list(widgets, { namespace, resourceVersion: wanted }));
    await advance?.(3_000 as never);
    const { code, reason, message, details } = await call;
    expect({ code, reason }).toEqual({ code: 504, reason: "Timeout" });
    expect(message).toMatch(new RegExp(`^Timeout: Too large resource version: ${wanted}, current: \\d+$`));
    expect(details).toMatchObject({
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    });
  });

  sentence("an object is shown in the version that is asked for", async ({ transport, namespace }) => {
    const created = await transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: 1 } }));
    const older = await transport.get(deprecatedWidgets, keyOf(created));
    expect(older).toEqual({ ...created, apiVersion: `${group}/v1beta1` });
    const list = await transport.list(deprecatedWidgets, { namespace });
    expect(list).toMatchObject({ apiVersion: `${group}/v1beta1`, kind: "WidgetList", items: [older] });
  });
}

async function create({ transport, namespace }: Scene, ...names: readonly string[]): Promise<void> {
  for (const name of names) await transport.create(widgets, widget({ namespace, name }));
}

function namesOf({ items }: KubeList): readonly (string | undefined)[] {
  return items.map(({ metadata }) => metadata.name);
}

function after({ metadata }: KubeList): Pick<ListOptions, "continue"> {
  return metadata.continue === undefined ? {} : { continue: metadata.continue };
}
