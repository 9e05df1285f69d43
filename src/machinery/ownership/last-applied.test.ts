import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import type { KubeObject } from "../object.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { applyConfiguration, type ApplyResult } from "./apply-configuration.ts";
import { applyUpdate } from "./apply-update.ts";
import { objectTypeOf } from "./value-type.ts";

const apiVersion = "own.test/v1";
const schema: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: { name: { type: "string" }, replicas: { type: "integer" }, flag: { type: "boolean" } },
    },
  },
};
const write = { apiVersion, kind: "Widget", type: objectTypeOf(schema), now: parseTimestamp("2026-01-02T00:00:00Z") };
const annotation = "kubectl.kubernetes.io/last-applied-configuration";

function widget(spec: object, annotations?: Readonly<Record<string, string>>): KubeObject {
  const metadata = { name: "w", namespace: "default", ...(annotations === undefined ? {} : { annotations }) };
  return { apiVersion, kind: "Widget", metadata, spec };
}

function written(manager: string, live: KubeObject | undefined, next: KubeObject): KubeObject {
  const managedFields = applyUpdate({ ...write, manager, live, next }) ?? [];
  return { ...next, metadata: { ...next.metadata, uid: "1", managedFields } };
}

/** An object that kubectl applied from the client, of which somebody else changed one field since. */
function clientSide(lastApplied = JSON.stringify(widget({ name: "x", replicas: 1, flag: true }, {}))): KubeObject {
  const created = written(
    "kubectl-client-side-apply",
    undefined,
    widget({ name: "x", replicas: 1, flag: true }, { [annotation]: lastApplied }),
  );
  return written("other", created, { ...created, spec: { name: "x", replicas: 1, flag: false } });
}

function apply(
  live: KubeObject,
  spec: object,
  manager = "kubectl",
  annotations?: Readonly<Record<string, string>>,
): ApplyResult {
  return applyConfiguration({ ...write, manager, live, configuration: widget(spec, annotations), force: false });
}

describe("a server-side apply by kubectl over its own client-side apply", () => {
  test("has no conflicts over fields that are as it applied them", () => {
    const result = apply(clientSide(), { name: "y<&>", replicas: 2 });
    expect(result).toMatchObject({ kind: "applied", object: { spec: { name: "y<&>", replicas: 2, flag: false } } });
  });

  test("keeps the annotation in step with what it applies", () => {
    const result = apply(clientSide(), { name: "y<&>", replicas: 2 });
    const text = `{"apiVersion":"own.test/v1","kind":"Widget","metadata":{"name":"w","namespace":"default"},"spec":{"name":"y\\u003c\\u0026\\u003e","replicas":2}}\n`;
    expect(result).toMatchObject({ object: { metadata: { annotations: { [annotation]: text } } } });
  });

  test("does not write its annotations into the annotation of that name", () => {
    const live = clientSide();
    const stored = live.metadata.annotations?.[annotation] ?? "";
    const result = apply(live, { name: "y", replicas: 2 }, "kubectl", { [annotation]: stored, b: "c" });
    const { annotations = {} } = result.kind === "applied" ? result.object.metadata : {};
    expect(JSON.parse(annotations[annotation] ?? "")).toEqual(widget({ name: "y", replicas: 2 }, { b: "c" }));
  });

  test("conflicts over fields that somebody changed since, and over those alone", () => {
    expect(apply(clientSide(), { name: "y", flag: true })).toMatchObject({
      kind: "conflicts",
      error: { message: 'Apply failed with 1 conflict: conflict with "other" using own.test/v1: .spec.flag' },
    });
  });

  test("drops an annotation that would be too large", () => {
    const live = { ...clientSide(), spec: { name: "x".repeat(300_000) } };
    const result = apply(live, { name: "x".repeat(300_000) });
    expect(result).toMatchObject({ kind: "applied", object: { metadata: { annotations: {} } } });
  });
});

describe("conflicts stay", () => {
  const many =
    'Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using own.test/v1:\n- .spec.name\n- .spec.replicas';
  const cases: Record<string, { readonly live: KubeObject; readonly manager?: string }> = {
    "for any other manager": { live: clientSide(), manager: "somebody" },
    "where the annotation is no JSON": { live: clientSide("zzz") },
    "where the annotation is empty": { live: clientSide("") },
    "where the annotation is of another version": { live: clientSide('{"apiVersion":"own.test/v0","kind":"Widget"}') },
    "where the annotation has no kind": { live: clientSide('{"apiVersion":"own.test/v1"}') },
    "where the annotation does not fit the schema": {
      live: clientSide('{"apiVersion":"own.test/v1","kind":"Widget","zzz":1}'),
    },
  };
  test.each(Object.entries(cases))("%s", (_, { live, manager }) => {
    expect(apply(live, { name: "y", replicas: 2 }, manager)).toMatchObject({
      kind: "conflicts",
      error: { message: many },
    });
  });
});
