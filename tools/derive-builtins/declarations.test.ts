import { describe, expect, test } from "vitest";
import { readGoStructs } from "./go-structs.ts";
import { readProtoMessages } from "./proto-messages.ts";

describe("Go structs", () => {
  const source = [
    "type Thing struct {",
    '\tmetav1.TypeMeta `json:",inline"`',
    "\t// Says what it is.",
    '\tName string `json:"name" protobuf:"bytes,1,opt,name=name"`',
    '\t// Gone string `json:"gone,omitempty" protobuf:"bytes,2,opt,name=gone"`',
    '\tCount *int32 `json:"count,omitempty" protobuf:"varint,2,opt,name=count"`',
    '\tSource `json:",inline" protobuf:"bytes,3,opt,name=source"`',
    '\tHidden string `json:"-" protobuf:"bytes,4,opt,name=hidden"`',
    '\tItems []Item `json:"items,omitempty,omitzero" patchStrategy:"merge" protobuf:"bytes,5,rep,name=items"`',
    "}",
  ].join("\n");
  const fields = readGoStructs(source).get("Thing") ?? [];

  test("fields that are on the wire are read, and no others", () => {
    expect(fields.map(({ goName, jsonName, number }) => [goName, jsonName, number])).toEqual([
      ["Name", "name", 1],
      ["Count", "count", 2],
      ["Source", "", 3],
      ["Items", "items", 5],
    ]);
  });

  test("a field says how it is written when it holds nothing", () => {
    const [name, count, inlined, items] = fields;
    expect(name).toMatchObject({ pointer: false, omitEmpty: false, inline: false });
    expect(count).toMatchObject({ pointer: true, omitEmpty: true });
    expect(inlined).toMatchObject({ inline: true });
    expect(items).toMatchObject({ omitEmpty: true, omitZero: true });
  });
});

test("protobuf messages are read with the full names of their types", () => {
  const text = [
    'syntax = "proto2";',
    "package a.b.v1;",
    "// A thing.",
    "message Thing {",
    "  // Its name; message Other { is no message.",
    "  optional string name = 1;",
    "",
    "  repeated Item items = 2;",
    "  map<string, .c.d.Amount> amounts = 3;",
    "}",
  ].join("\n");
  expect(Object.fromEntries(readProtoMessages(text))).toEqual({
    "a.b.v1.Thing": [
      { name: "name", number: 1, type: "string", shape: "single" },
      { name: "items", number: 2, type: "a.b.v1.Item", shape: "list" },
      { name: "amounts", number: 3, type: "c.d.Amount", shape: "map" },
    ],
  });
});
