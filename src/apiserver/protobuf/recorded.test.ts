import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "#machinery";
import { builtinKinds, builtinSchema } from "#apiserver/builtin";
import { decodeProtobuf } from "./index.ts";

interface Pair {
  readonly name: string;
  readonly json: JsonObject;
  readonly protobuf: string;
}

const folder = join(import.meta.dirname, "../../../test/fixtures/protobuf");

describe.each(["objects", "reviews"])("the real server's %s", (file) => {
  const pairs = JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8")) as readonly Pair[];

  test.each(pairs)("$name reads the same from protobuf as from JSON", ({ json, protobuf }) => {
    const decoded = decodeProtobuf(Buffer.from(protobuf, "base64"));
    const schema = builtinSchema(typeOf(json));
    expect(schema.applyDefaults(schema.prune(decoded as unknown as KubeObject))).toEqual(json);
  });
});

function typeOf({ apiVersion, kind }: JsonObject): string {
  const found = builtinKinds().find(
    (each) => each.kind === kind && apiVersion === (each.group === "" ? each.version : `${each.group}/${each.version}`),
  );
  return found?.type ?? "meta/v1.Status";
}
