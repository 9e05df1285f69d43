import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "#machinery";
import { builtinKinds, builtinSchema } from "#apiserver/builtin";
import { ByteReader } from "./byte-reader.ts";
import { decodeProtobuf, encodeProtobuf, encodeWatchEvent } from "./index.ts";

interface Pair {
  readonly name: string;
  readonly json: JsonObject;
}

const folder = join(import.meta.dirname, "../../../test/fixtures/protobuf");

describe.each(["objects", "reviews"])("%s of the real server", (file) => {
  const pairs = JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8")) as readonly Pair[];

  test.each(pairs)("$name survives being written and read again", ({ json }) => {
    const decoded = decodeProtobuf(encodeProtobuf(json) ?? Buffer.alloc(0));
    const schema = builtinSchema(typeOf(json));
    expect(schema.applyDefaults(schema.prune(decoded as unknown as KubeObject))).toEqual(json);
  });
});

test("what is only metadata has a message of its own", () => {
  const partial = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata: { name: "x" } };
  expect(decodeProtobuf(encodeProtobuf(partial) ?? Buffer.alloc(0))).toEqual(partial);
});

test("custom resources have no message", () => {
  expect(encodeProtobuf({ apiVersion: "example.com/v1", kind: "Thing" })).toBeUndefined();
  expect(encodeWatchEvent("ADDED", { apiVersion: "example.com/v1", kind: "ThingList" })).toBeUndefined();
});

test("an event of a watch says its length, its type and its object", () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { a: "b" } };
  const frame = encodeWatchEvent("MODIFIED", object) ?? Buffer.alloc(4);
  expect(frame.readUInt32BE()).toBe(frame.length - 4);
  const event = new ByteReader(frame, 4);
  expect([event.tag().number, event.inside().text()]).toEqual([1, "MODIFIED"]);
  expect(event.tag().number).toBe(2);
  const raw = event.inside();
  expect(raw.tag().number).toBe(1);
  expect(decodeProtobuf(raw.inside().rest())).toEqual(object);
});

test("lists hold their metadata and their items in order", () => {
  const items = ["a", "b"].map((name) => ({ metadata: { name } }));
  const list = encodeProtobuf({ apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: "7" }, items });
  const envelope = new ByteReader(list ?? Buffer.alloc(0), 4);
  expect([envelope.tag().number, envelope.inside().text()]).toEqual([1, "\n\u0002v1\u0012\u0007PodList"]);
  expect(envelope.tag().number).toBe(2);
  const message = envelope.inside();
  const parts: (readonly [number, string])[] = [];
  while (!message.isDone) parts.push([message.tag().number, message.inside().text()]);
  // Metadata of a list has its version in field 2; metadata of an object is field 1, and its name field 1 again.
  expect(parts).toEqual([
    [1, "\u0012\u00017"],
    [2, "\n\u0003\n\u0001a"],
    [2, "\n\u0003\n\u0001b"],
  ]);
});

function typeOf({ apiVersion, kind }: JsonObject): string {
  const found = builtinKinds().find(
    (each) => each.kind === kind && apiVersion === (each.group === "" ? each.version : `${each.group}/${each.version}`),
  );
  return found?.type ?? "meta/v1.Status";
}
