import { expect } from "vitest";
import { keyOf, refusal, refused, type Sentence, warnings } from "./scene.ts";
import { configMaps, group, widget, widgets } from "./widget.ts";

/** What schemas do to objects on their way in. */
export function schemaSentences(sentence: Sentence): void {
  sentence("defaults are set, also in items of lists and values of maps", async ({ transport, namespace }) => {
    const created = await transport.create(
      widgets,
      widget({ namespace, name: "a" }, { spec: { ports: [{ name: "x" }], limits: { cpu: { least: 1 } } } }),
    );
    expect(created["spec"]).toEqual({
      color: "red",
      maybeDefaulted: "x",
      ports: [{ name: "x", number: 80 }],
      limits: { cpu: { least: 1, most: 7 } },
    });
    const bare = await transport.create(widgets, widget({ namespace, name: "b" }));
    expect(bare).not.toHaveProperty("spec");
  });

  sentence("null becomes the default, stays where it may, and goes where it may not", async (scene) => {
    const { transport, namespace } = scene;
    const spec = { color: null, maybe: null, maybeDefaulted: null, size: null };
    const created = await transport.create(widgets, widget({ namespace, name: "a" }, { spec }));
    expect(created["spec"]).toEqual({ color: "red", maybe: null, maybeDefaulted: null });
  });

  sentence("what the schema does not know is dropped, except where it is to be preserved", async (scene) => {
    const { transport, namespace } = scene;
    const created = await transport.create(
      widgets,
      widget(
        { namespace, name: "a" },
        { spec: { unknown: 1, ports: [{ name: "x", unknown: 1 }], free: { a: { b: [1, { c: "d" }] } } } },
      ),
    );
    expect(created["spec"]).toEqual({
      color: "red",
      maybeDefaulted: "x",
      ports: [{ name: "x", number: 80 }],
      free: { a: { b: [1, { c: "d" }] } },
    });
  });

  sentence("unknown fields are warned of, refused or ignored, as the caller asks", async ({ transport, namespace }) => {
    const object = widget({ namespace, name: "a" }, { spec: { x: 1, ports: [{ name: "n", y: 2 }] } });
    const heard = warnings();
    await transport.create(widgets, object, { ...heard, dryRun: true });
    expect(heard.texts.toSorted()).toEqual(['unknown field "spec.ports[0].y"', 'unknown field "spec.x"']);
    const silent = warnings();
    await transport.create(widgets, object, { ...silent, dryRun: true, fieldValidation: "Ignore" });
    expect(silent.texts).toEqual([]);
    const { code, reason, message } = await refusal(transport.create(widgets, object, { fieldValidation: "Strict" }));
    expect({ code, reason }).toEqual({ code: 400, reason: "BadRequest" });
    expect(message).toBe(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.ports[0].y", unknown field "spec.x"',
    );
  });

  sentence("unknown fields of metadata and of embedded metadata count too", async ({ transport, namespace }) => {
    const template = { apiVersion: "v1", kind: "Pod", metadata: { name: "x", bogus: 1 }, spec: { any: 1 } };
    const metadata = { namespace, name: "a", mystery: "?" };
    const call = transport.create(widgets, widget(metadata, { spec: { template } }), { fieldValidation: "Strict" });
    expect(await refused(call)).toEqual({
      code: 400,
      reason: "BadRequest",
      message:
        'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.mystery", unknown field "spec.template.metadata.bogus"',
    });
    const created = await transport.create(widgets, widget(metadata, { spec: { template } }));
    expect(created.metadata).not.toHaveProperty("mystery");
    expect(created["spec"]).toMatchObject({ template: { metadata: { name: "x" }, spec: { any: 1 } } });
  });

  sentence("unknown fields of built-in kinds are refused when asked", async ({ transport, namespace }) => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "a" }, stuff: 1 };
    expect(await refused(transport.create(configMaps, object, { fieldValidation: "Strict" }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "stuff"',
    });
    const heard = warnings();
    expect(await transport.create(configMaps, object, heard)).not.toHaveProperty("stuff");
    expect(heard.texts).toEqual(['unknown field "stuff"']);
  });

  sentence("a patch is held to the same", async ({ transport, namespace }) => {
    const old = await transport.create(widgets, widget({ namespace, name: "a" }));
    const patch = { kind: "merge", patch: { spec: { x: 1 } } } as const;
    const { code, reason, message } = await refusal(
      transport.patch(widgets, keyOf(old), patch, { fieldValidation: "Strict" }),
    );
    expect({ code, reason }).toEqual({ code: 422, reason: "Invalid" });
    expect(message).toMatch(
      /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":.*: strict decoding error: unknown field "spec.x"$/,
    );
  });

  const refusals: readonly [what: string, spec: object, problem: string][] = [
    [
      "a number below its minimum",
      { size: -1 },
      `spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0`,
    ],
    [
      "a number above its maximum",
      { size: 101 },
      `spec.size: Invalid value: 101: spec.size in body should be less than or equal to 100`,
    ],
    [
      "a text where a number belongs",
      { size: "x" },
      `spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`,
    ],
    [
      "an unknown choice",
      { color: "pink" },
      `spec.color: Unsupported value: "pink": supported values: "red", "green", "blue"`,
    ],
    ["a long text", { note: "abcdef" }, `spec.note: Too long: may not be more than 5 bytes`],
    ["an item without its key", { ports: [{ number: 1 }] }, `spec.ports[0].name: Required value`],
    [
      "two items with one key",
      { ports: [{ name: "a" }, { name: "a" }] },
      `spec.ports[1]: Duplicate value: {"name":"a"}`,
    ],
    ["an item twice in a set", { tags: ["a", "a"] }, `spec.tags[1]: Duplicate value: "a"`],
    [
      "an embedded resource without its kind",
      { template: { metadata: {} } },
      `[spec.template.apiVersion: Required value, spec.template.kind: Required value]`,
    ],
    [
      "neither a number nor a text",
      { port: true },
      `spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"`,
    ],
  ];
  for (const [what, spec, problem] of refusals) {
    sentence(`${what} is refused`, async ({ transport, namespace }) => {
      expect(await refused(transport.create(widgets, widget({ namespace, name: "a" }, { spec })))).toEqual({
        code: 422,
        reason: "Invalid",
        message: `Widget.${group} "a" is invalid: ${problem}`,
      });
    });
  }

  sentence("a number and a text both fit where either may stand", async ({ transport, namespace }) => {
    for (const port of [80, "http"]) {
      const name = `p-${port}`;
      expect(await transport.create(widgets, widget({ namespace, name }, { spec: { port } }))).toMatchObject({
        spec: { port },
      });
    }
  });

  sentence("several problems are told together, each with its cause", async ({ transport, namespace }) => {
    const { message, details } = await refusal(
      transport.create(widgets, widget({ namespace, name: "a" }, { spec: { size: -1, note: "abcdef" } })),
    );
    expect(message).toMatch(new RegExp(`^Widget\\.${group} "a" is invalid: \\[.*, .*\\]$`));
    expect(details?.causes?.map(({ reason, field }) => `${field} ${reason}`).toSorted()).toEqual([
      "spec.note FieldValueTooLong",
      "spec.size FieldValueInvalid",
    ]);
  });
}
