import { expect } from "vitest";
import { keyOf, refused, type Sentence, warnings } from "./scene.ts";
import { configMap, configMaps, group, widget, widgets } from "./widget.ts";

const owner = { apiVersion: "v1", kind: "Node", name: "n", uid: "22222222-2222-4222-8222-222222222222" };

/** What metadata has to look like. */
export function metadataSentences(sentence: Sentence): void {
  const refusals: readonly [what: string, metadata: object, problem: string][] = [
    [
      "a name in capitals",
      { name: "Ab" },
      `Widget.${group} "Ab" is invalid: metadata.name: Invalid value: "Ab": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      "a label value with a slash",
      { labels: { app: "a/b" } },
      `Widget.${group} "a" is invalid: metadata.labels: Invalid value: "a/b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    ],
    [
      "an annotation without a name",
      { annotations: { "example.com/": "a" } },
      `Widget.${group} "a" is invalid: [metadata.annotations: Invalid value: "example.com/": name part must be non-empty, metadata.annotations: Invalid value: "example.com/": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]`,
    ],
    [
      "more than 256 KiB of annotations",
      { annotations: { a: "x".repeat(262_144) } },
      `Widget.${group} "a" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes`,
    ],
    [
      "an owner without a name",
      { ownerReferences: [{ ...owner, name: "" }] },
      `Widget.${group} "a" is invalid: metadata.ownerReferences.name: Invalid value: "": must not be empty`,
    ],
    [
      "two controllers",
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: "m", uid: "3", controller: true },
        ],
      },
      `Widget.${group} "a" is invalid: metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Node","name":"n","uid":"22222222-2222-4222-8222-222222222222","controller":true},{"apiVersion":"v1","kind":"Node","name":"m","uid":"3","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Node/n and Node/m`,
    ],
    [
      "a finalizer with a space",
      { finalizers: ["a b"] },
      `Widget.${group} "a" is invalid: metadata.finalizers: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  ];
  for (const [what, metadata, message] of refusals) {
    sentence(`${what} is refused`, async ({ transport, namespace }) => {
      const call = transport.create(widgets, widget({ namespace, name: "a", ...metadata }));
      expect(await refused(call)).toEqual({ code: 422, reason: "Invalid", message });
    });
  }

  sentence("a finalizer of a custom resource without a domain is only warned of", async ({ transport, namespace }) => {
    const heard = warnings();
    await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["x"] }), heard);
    expect(heard.texts).toEqual([
      'metadata.finalizers: "x": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
    await transport.patch(
      widgets,
      { namespace, name: "a" },
      { kind: "merge", patch: { metadata: { finalizers: null } } },
    );
  });

  sentence("a finalizer of a built-in kind needs a domain", async ({ transport, namespace }) => {
    const call = transport.create(configMaps, configMap({ namespace, name: "a", finalizers: ["x"] }));
    expect(await refused(call)).toEqual({
      code: 422,
      reason: "Invalid",
      message:
        'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    });
  });

  sentence("owners that are given twice are merged with a warning", async ({ transport, namespace }) => {
    const heard = warnings();
    const dependent = widget({ namespace, name: "a", ownerReferences: [owner, owner] });
    const created = await transport.create(widgets, dependent, { ...heard, dryRun: true });
    expect(created.metadata.ownerReferences).toEqual([owner]);
    expect(heard.texts).toEqual([
      ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 22222222-2222-4222-8222-222222222222",
    ]);
  });

  sentence("an object that is being deleted takes no new finalizers", async ({ transport, namespace }) => {
    const created = await transport.create(widgets, widget({ namespace, name: "a", finalizers: ["e.com/x"] }));
    await transport.delete(widgets, keyOf(created));
    const patch = { kind: "merge", patch: { metadata: { finalizers: ["e.com/x", "e.com/y"] } } } as const;
    const problem =
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"e.com/y"}';
    expect(await refused(transport.patch(widgets, keyOf(created), patch))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `Widget.${group} "a" is invalid: ${problem}`,
    });
    await transport.patch(widgets, keyOf(created), { kind: "merge", patch: { metadata: { finalizers: null } } });
  });

  sentence("labels that are not texts are a bad request", async ({ transport, namespace }) => {
    const object = widget({ namespace, name: "a", labels: { app: 1 as never } });
    expect(await refused(transport.create(widgets, object))).toMatchObject({ code: 400, reason: "BadRequest" });
  });

  sentence("metadata that is null is left out", async ({ transport, namespace }) => {
    const object = widget({ namespace, name: "a", labels: null as never, annotations: null as never });
    const { metadata } = await transport.create(widgets, object);
    expect(metadata).not.toHaveProperty("labels");
    expect(metadata).not.toHaveProperty("annotations");
  });

  sentence("empty labels, annotations, owners and finalizers are left out", async ({ transport, namespace }) => {
    const object = widget({ namespace, name: "a", labels: {}, annotations: {}, ownerReferences: [], finalizers: [] });
    const { metadata } = await transport.create(widgets, object);
    for (const field of ["labels", "annotations", "ownerReferences", "finalizers"]) {
      expect(metadata).not.toHaveProperty(field);
    }
  });
}
