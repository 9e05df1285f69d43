import { readFileSync } from "node:fs";
import { join } from "node:path";
import { array, assert, constantFrom, nat, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeProtobuf, InvalidProtobufError } from "./index.ts";

describe("bodies that clients send", () => {
  test("options of a delete are read under the version of any group", () => {
    const preconditions = Buffer.concat([text(1, "u"), text(2, "7")]);
    const options = Buffer.concat([
      number(1, 0),
      bytes(2, preconditions),
      number(3, 1),
      text(4, "Foreground"),
      text(5, "All"),
    ]);
    expect(decodeProtobuf(body("apps/v1", "DeleteOptions", options))).toEqual({
      apiVersion: "apps/v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
      preconditions: { uid: "u", resourceVersion: "7" },
      orphanDependents: true,
      propagationPolicy: "Foreground",
      dryRun: ["All"],
    });
  });

  test("an eviction and a request for a token are known by their own versions", () => {
    expect(decodeProtobuf(body("policy/v1", "Eviction", bytes(1, text(1, "p"))))).toMatchObject({
      metadata: { name: "p" },
    });
    expect(decodeProtobuf(body("authentication.k8s.io/v1", "TokenRequest", bytes(2, number(4, 600))))).toMatchObject({
      spec: { expirationSeconds: 600 },
    });
    expect(decodeProtobuf(body("autoscaling/v1", "Scale", bytes(2, number(1, 3))))).toMatchObject({
      spec: { replicas: 3 },
    });
  });

  test("negative and large numbers stay exact", () => {
    const spec = Buffer.concat([number(2, -5n), number(5, 2n ** 53n)]);
    expect(decodeProtobuf(body("coordination.k8s.io/v1", "Lease", bytes(2, spec)))).toMatchObject({
      spec: { leaseDurationSeconds: -5 },
    });
    expect(decodeProtobuf(body("v1", "DeleteOptions", number(1, 2n ** 62n)))).toMatchObject({
      gracePeriodSeconds: 2n ** 62n,
    });
  });

  test("keys of maps are plain data, whatever they are called", () => {
    const entry = bytes(2, Buffer.concat([text(1, "__proto__"), text(2, "x")]));
    const decoded = decodeProtobuf(body("v1", "ConfigMap", entry));
    expect(Object.keys(decoded["data"] ?? {})).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(decoded["data"])).toBe(Object.prototype);
  });

  test("fields that are not known are passed over", () => {
    const strange = Buffer.concat([number(900, 1), text(901, "x"), Buffer.from([0xb1, 0x38, 1, 2, 3, 4, 5, 6, 7, 8])]);
    const content = Buffer.concat([strange, bytes(1, text(1, "n")), Buffer.from([0xb5, 0x38, 1, 2, 3, 4])]);
    expect(decodeProtobuf(body("v1", "Namespace", content))).toEqual({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "n" },
    });
  });
});

describe("bodies that nobody should send", () => {
  test.each([
    ["no bytes", Buffer.alloc(0), "empty data"],
    ["JSON", Buffer.from("{}"), "does not appear to be a protobuf message"],
    ["no kind", Buffer.from("k8s\0"), "there is no message for"],
    ["an unknown kind", body("v1", "Nothing", Buffer.alloc(0)), "there is no message for /v1, Kind=Nothing"],
    ["a cut message", body("v1", "Pod", Buffer.from([0x0a, 0x20, 0x01])), "unexpected end"],
    ["a number without an end", body("v1", "Pod", Buffer.alloc(11, 0xff)), "too large"],
    ["a group", body("v1", "Pod", Buffer.from([0x0b])), "unknown wire type 3"],
    ["a field without a number", body("v1", "Pod", Buffer.from([0x00, 0x00])), "the number 0"],
    ["a number for a message", body("v1", "Pod", number(1, 5)), "cannot be a varint"],
    ["a text for a number", body("v1", "DeleteOptions", text(1, "x")), "cannot be a bytes"],
    ["raw content that is no JSON", body("apps/v1", "ControllerRevision", bytes(2, text(1, "{"))), "not JSON"],
    ["a compressed one", Buffer.concat([body("v1", "Pod", Buffer.alloc(0)), text(3, "gzip")]), "gzip"],
  ])("%s", (_, input, message) => {
    expect(() => decodeProtobuf(input)).toThrow(InvalidProtobufError);
    expect(() => decodeProtobuf(input)).toThrow(message);
  });

  test("a schema that is nested without end is refused before the stack is", () => {
    let schema: Buffer = Buffer.alloc(0);
    // properties are numbered 29, and the value of an entry 2.
    for (let level = 0; level < 5000; level++) {
      const entry = Buffer.concat([text(1, "a"), bytes(2, schema)]);
      schema = bytes(29, entry);
    }
    const version = Buffer.concat([text(1, "v1"), bytes(4, bytes(1, schema))]);
    const content = bytes(2, bytes(7, version));
    expect(() => decodeProtobuf(body("apiextensions.k8s.io/v1", "CustomResourceDefinition", content))).toThrow(
      "nested",
    );
  });

  test("whatever the bytes are, they are read or refused", () => {
    const folder = join(import.meta.dirname, "../../../test/fixtures/protobuf");
    const pairs = JSON.parse(readFileSync(join(folder, "objects.json"), "utf8")) as readonly { protobuf: string }[];
    const whole = pairs.map(({ protobuf }) => Buffer.from(protobuf, "base64"));
    const spoilt = tuple(
      constantFrom(...whole),
      array(tuple(nat(), nat(255)), { minLength: 1, maxLength: 8 }),
      nat(),
    ).map(([original, changes, cut]) => {
      const copy = Buffer.from(original);
      for (const [at, byte] of changes) copy[4 + (at % (copy.length - 4))] = byte;
      return copy.subarray(0, 4 + (cut % (copy.length - 4)));
    });
    assert(
      property(spoilt, (input) => {
        expect(["object", "refused"]).toContain(fate(input));
      }),
      { numRuns: 2000 },
    );
  });
});

function fate(input: Buffer): string {
  try {
    return typeof decodeProtobuf(input);
  } catch (error) {
    return error instanceof InvalidProtobufError ? "refused" : String(error);
  }
}

function body(apiVersion: string, kind: string, message: Buffer): Buffer {
  const typeMeta = Buffer.concat([text(1, apiVersion), text(2, kind)]);
  return Buffer.concat([Buffer.from("k8s\0"), bytes(1, typeMeta), bytes(2, message)]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function number(field: number, value: number | bigint): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function varint(value: number | bigint): Buffer {
  const parts: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  do {
    const rest = left >> 7n;
    parts.push(Number(left & 0x7fn) | (rest === 0n ? 0 : 0x80));
    left = rest;
  } while (left !== 0n);
  return Buffer.from(parts);
}
