import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../object.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { applyUpdate, type OwnershipUpdate } from "./apply-update.ts";
import { objectTypeOf } from "./value-type.ts";
import { resetFields } from "./write.ts";

const text: JsonSchema = { type: "string" };
const schema: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: text,
        flag: { type: "boolean" },
        labels: { type: "object", additionalProperties: text },
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      },
    },
    status: { type: "object", properties: { phase: text } },
  },
};
const apiVersion = "own.test/v1";
const now = parseTimestamp("2026-01-02T00:00:00Z");
const earlier = "2026-01-01T00:00:00Z";

function widget(spec: object | undefined, managedFields?: readonly object[], more: object = {}): KubeObject {
  const metadata = { name: "w", uid: "1", ...(managedFields === undefined ? {} : { managedFields }) };
  return { apiVersion, kind: "Widget", metadata, ...(spec === undefined ? {} : { spec }), ...more };
}

function entry(manager: string, fieldsV1: JsonObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return { apiVersion, fieldsType: "FieldsV1", fieldsV1, manager, operation: "Update", time: earlier, ...more };
}

function update(live: KubeObject | undefined, next: KubeObject, more: Partial<OwnershipUpdate> = {}) {
  const subresource = more.subresource ?? "";
  const reset = resetFields({ subresource, hasStatus: true });
  return applyUpdate({ live, next, manager: "me", apiVersion, now, type: objectTypeOf(schema), reset, ...more });
}

describe("a create", () => {
  test("gives the writer everything but what nobody owns, containers included", () => {
    const next = widget({ name: "x", labels: { a: "1" }, set: [] }, undefined, { status: { phase: "p" } });
    const { uid: _, ...metadata } = next.metadata;
    expect(update(undefined, { ...next, metadata: { ...metadata, labels: { l: "1" } } })).toEqual([
      entry(
        "me",
        {
          "f:metadata": { "f:labels": { ".": {}, "f:l": {} } },
          "f:spec": { ".": {}, "f:labels": { ".": {}, "f:a": {} }, "f:name": {}, "f:set": {} },
        },
        { time: now },
      ),
    ]);
  });

  test("of nothing worth owning leaves no entry", () => {
    expect(update(undefined, widget(undefined))).toBeUndefined();
  });

  test("without a manager is booked to an unknown one", () => {
    expect(update(undefined, widget({ name: "x" }), { manager: "" })?.[0]?.manager).toBe("unknown");
  });
});

describe("an update", () => {
  const mine = entry("me", { "f:spec": { "f:name": {} } });
  const yours = entry("you", { "f:spec": { "f:flag": {}, "f:labels": { "f:a": {} } } }, { operation: "Apply" });

  test("takes what it changes from whoever owned it", () => {
    const live = widget({ name: "x", flag: true, labels: { a: "1" } }, [yours, mine]);
    expect(update(live, { ...live, spec: { name: "x", flag: false, labels: { a: "1" } } })).toEqual([
      entry("you", { "f:spec": { "f:labels": { "f:a": {} } } }, { operation: "Apply" }),
      entry("me", { "f:spec": { "f:flag": {}, "f:name": {} } }, { time: now }),
    ]);
  });

  test("has a new time also where the writer owned it all already", () => {
    const live = widget({ name: "x" }, [mine]);
    expect(update(live, { ...live, spec: { name: "y" } })).toEqual([{ ...mine, time: now }]);
  });

  test("that only takes fields away keeps the times, and forgets who owns nothing", () => {
    const live = widget({ name: "x", flag: true, labels: { a: "1" } }, [yours, mine]);
    expect(update(live, { ...live, spec: { flag: true } })).toEqual([
      entry("you", { "f:spec": { "f:flag": {} } }, { operation: "Apply" }),
    ]);
  });

  test("that changes nothing gives back the stored list", () => {
    const live = widget({ name: "x" }, [mine]);
    expect(update(live, widget({ name: "x" }, [{ ...mine }]))).toEqual([mine]);
    expect(update(live, { ...live })).toBe(live.metadata.managedFields);
  });

  test("of an object without managers gives it none", () => {
    expect(update(widget({ name: "x" }), widget({ name: "y" }))).toBeUndefined();
  });

  test("of an object that does not fit its schema loses all managers", () => {
    const live = widget({ set: ["a"] }, [mine]);
    expect(update(live, { ...live, spec: { set: [null] } })).toBeUndefined();
  });

  test("without managedFields in the body keeps the stored ones", () => {
    const live = widget({ name: "x", flag: true }, [yours, mine]);
    expect(update(live, widget({ name: "x", flag: true }))).toEqual([yours, mine]);
  });

  test("of another writer in the same second sorts behind by name", () => {
    const live = widget({ name: "x" }, [mine]);
    const entries = update(
      live,
      { ...live, spec: { name: "x", flag: true } },
      { manager: "a", now: parseTimestamp(earlier) },
    );
    expect(entries?.map(({ manager }) => manager)).toEqual(["a", "me"]);
  });
});

describe("managedFields that a client sends", () => {
  const stored = entry("one", { "f:spec": { "f:name": {} } }, { operation: "Apply" });
  const added = entry("me", { "f:spec": { "f:flag": {} } }, { time: now });
  const live = widget({ name: "x" }, [stored]);

  /** The entries after a write that also sets a flag. */
  function after(managedFields: unknown): unknown {
    const next = { ...live, spec: { name: "x", flag: true } };
    return update(live, { ...next, metadata: { ...live.metadata, managedFields } as KubeObject["metadata"] });
  }

  const resets: Record<string, unknown> = {
    "an empty list": [],
    "an empty entry": [{}],
    "an entry of blanks": [{ manager: "" }],
  };
  test.each(Object.entries(resets))("%s forgets all managers", (_, sent) => {
    expect(after(sent)).toBeUndefined();
  });

  const replacements: Record<
    string,
    { readonly sent: ManagedFieldsEntry; readonly kept: ManagedFieldsEntry | undefined }
  > = {
    "another manager": { sent: { ...stored, manager: "two" }, kept: { ...stored, manager: "two" } },
    "another operation": { sent: { ...stored, operation: "Update" }, kept: { ...stored, operation: "Update" } },
    "a time in another zone": { sent: { ...stored, time: "2026-01-01T01:00:00+01:00" }, kept: stored },
    "fields that nobody knows": { sent: { ...stored, more: 1 } as ManagedFieldsEntry, kept: stored },
    "unknown steps": { sent: { ...stored, fieldsV1: { "f:spec": { "x:y": {}, "f:name": {} } } }, kept: stored },
    "no fields": { sent: { ...stored, fieldsV1: {} }, kept: undefined },
    "null for fields": { sent: { ...stored, fieldsV1: null } as unknown as ManagedFieldsEntry, kept: undefined },
    "a field that is never stored": {
      sent: {
        ...stored,
        fieldsV1: { "f:metadata": { "f:managedFields": {}, "f:name": {} }, "f:spec": { "f:name": {} } },
      },
      kept: { ...stored, fieldsV1: { "f:metadata": { "f:name": {} }, "f:spec": { "f:name": {} } } },
    },
  };
  test.each(Object.entries(replacements))("%s counts", (_, { sent, kept }) => {
    expect(after([sent])).toEqual(
      kept === undefined ? [added] : kept.operation === "Update" ? [kept, added] : [kept, added],
    );
  });

  const broken: Record<string, unknown> = {
    "no list": 5,
    "a list of no entries": [5],
    "a number for a manager": [{ ...stored, manager: 5 }],
    "no time": [{ ...stored, time: "yesterday" }],
    "an unknown operation": [{ ...stored, operation: "Nonsense" }],
    "no apiVersion": [{ ...stored, apiVersion: "" }],
    "no fieldsType": [{ ...stored, fieldsType: "" }],
    "another fieldsType": [{ ...stored, fieldsType: "FieldsV2" }],
    "a step without a colon": [{ ...stored, fieldsV1: { fspec: {} } }],
    "a number below a step": [{ ...stored, fieldsV1: { "f:spec": 5 } }],
    "a text for fields": [{ ...stored, fieldsV1: "x" }],
  };
  test.each(Object.entries(broken))("%s: the stored ones count", (_, sent) => {
    expect(after(sent)).toEqual([stored, added]);
  });

  test("do not count on the way to a subresource", () => {
    const next = { ...live, metadata: { ...live.metadata, managedFields: [] }, status: { phase: "p" } };
    expect(update(live, next, { subresource: "status" })?.map(({ manager }) => manager)).toEqual(["one", "me"]);
  });

  test("that cannot be read in the stored object are forgotten with the next update", () => {
    const unreadable = widget({ name: "x" }, [{ ...stored, operation: "Nonsense" }]);
    expect(update(unreadable, widget({ name: "y" }))).toBeUndefined();
  });
});

describe("the status endpoint", () => {
  test("owns status, not what it ignores of the spec", () => {
    const mine = entry("me", { "f:spec": { "f:name": {} } });
    const live = widget({ name: "x" }, [mine]);
    const next = { ...live, spec: { name: "y" }, status: { phase: "p" } };
    expect(update(live, next, { subresource: "status" })).toEqual([
      mine,
      entry("me", { "f:status": { ".": {}, "f:phase": {} } }, { subresource: "status", time: now }),
    ]);
  });

  test("keeps its fields when the object itself is written with another status", () => {
    const status = entry("st", { "f:status": { "f:phase": {} } }, { subresource: "status" });
    const live = widget({ name: "x" }, [status], { status: { phase: "p" } });
    expect(update(live, { ...live, spec: { name: "y" }, status: { phase: "q" } })?.[0]).toEqual(status);
  });
});

describe("more than ten updaters", () => {
  test("stay by themselves up to ten, beside any number of appliers", () => {
    expect(written(10).map(({ manager }) => manager)).toEqual([
      "applier",
      ...Array.from({ length: 10 }, (_, index) => `m${key(index)}`),
    ]);
  });

  test("are folded, the oldest first, into one with the time of its youngest", () => {
    const [, ancient, ...others] = written(13);
    expect(ancient).toEqual(
      entry(
        "ancient-changes",
        { "f:spec": { "f:labels": { "f:k00": {}, "f:k01": {}, "f:k02": {}, "f:k03": {} } } },
        { time: at(1) },
      ),
    );
    expect(others.map(({ manager }) => manager)).toEqual(Array.from({ length: 9 }, (_, index) => `m${key(index + 4)}`));
  });
});

function at(minute: number): string {
  return `2026-01-01T00:0${minute}:00Z`;
}

function key(index: number): string {
  return `k${String(index).padStart(2, "0")}`;
}

/** The entries after so many managers set a label each, three in every minute. */
function written(count: number): readonly ManagedFieldsEntry[] {
  let live = widget({ labels: {} }, [entry("applier", { "f:spec": { "f:name": {} } }, { operation: "Apply" })]);
  for (let index = 0; index < count; index++) {
    const { labels } = live["spec"] as { readonly labels: object };
    const next = { ...live, spec: { labels: { ...labels, [key(index)]: "1" } } };
    const managedFields = update(live, next, {
      manager: `m${key(index)}`,
      now: parseTimestamp(at(Math.floor(index / 3))),
    });
    live = { ...next, metadata: { ...next.metadata, managedFields: managedFields ?? [] } };
  }
  return live.metadata.managedFields ?? [];
}
