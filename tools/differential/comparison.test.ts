import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "#machinery";
import { root } from "../root.ts";
import { differencesBetween } from "./compare.ts";
import { ExpectedDifferences, readExpected } from "./expected.ts";
import { parsePath, valuesAt, without } from "./json-path.ts";
import { Normaliser } from "./normalise.ts";
import { readScript, type Step } from "./script.ts";

const folder = join(root, "test/differential");
const scripts = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => readScript(join(folder, name)));
const expected = readExpected(join(folder, "expected/differences.json"));

describe("paths", () => {
  const value: Json = { a: [{ name: "x", v: 1 }, { name: "y" }], "b.c": { d: 2 } };
  test.each<[string, Json[]]>([
    ["a[0].v", [1]],
    ["a[name=y].name", ["y"]],
    ["a[*].name", ["x", "y"]],
    ["['b.c'].d", [2]],
    ["none.at.all", []],
    ["", [value]],
  ])("%s", (path, values) => expect(valuesAt(value, parsePath(path))).toEqual(values));

  test("what is at a path can be left out", () => {
    expect(without(value, parsePath("a[*].name"))).toEqual({ a: [{ v: 1 }, {}], "b.c": { d: 2 } });
  });

  test("a path that cannot be read is refused", () => expect(() => parsePath("a[")).toThrow("cannot be read"));
});

describe("what no two servers have in common", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const normalised = (body: Json, step: Partial<Step> = {}): Json | undefined => {
    const normaliser = new Normaliser("r1", now);
    const answer = { code: 200, headers: {}, text: JSON.stringify(body) };
    normaliser.learn(answer);
    return normaliser.normalise({ only: [], ignore: [], ...step } as unknown as Step, answer)["body"];
  };
  const uid = "6f7c9f0e-2f5f-4f0e-9f0e-6f7c9f0e2f5f";

  test("uids, revisions and times of today", () => {
    const metadata = { name: "a", uid, resourceVersion: "17", creationTimestamp: "2026-01-01T00:00:05Z" };
    expect(normalised({ metadata, when: "2020-01-01T00:00:00Z" })).toEqual({
      metadata: { name: "a", uid: "<uid a 1>", resourceVersion: "<revision 1>", creationTimestamp: "<time>" },
      when: "2020-01-01T00:00:00Z",
    });
  });

  test("generated names, wherever they are mentioned", () => {
    expect(normalised({ metadata: { generateName: "g-", name: "g-x2v4z" }, message: '"g-x2v4z" not found' })).toEqual({
      metadata: { generateName: "g-", name: "g-<generated>" },
      message: '"g-<generated>" not found',
    });
  });

  test("the order of managers and of what is invalid", () => {
    const entries = [{ manager: "b" }, { manager: "a" }];
    expect(normalised({ managedFields: entries })).toEqual({ managedFields: entries.toReversed() });
    const [one, two] = [
      { field: "a", message: "x" },
      { field: "b", message: "y" },
    ];
    const status = (first: Json, second: Json, list: string) =>
      normalised({ kind: "Status", message: `invalid: [${list}]`, details: { causes: [first, second] } });
    expect(status(one, two, "a: x, b: y")).toEqual(status(two, one, "b: y, a: x"));
  });

  test("what a step ignores, and all but what it looks at", () => {
    expect(normalised({ a: 1, b: 2 }, { ignore: ["body.a"] })).toEqual({ b: 2 });
    expect(normalised({ a: 1, b: 2 }, { only: ["body.a"] })).toEqual({ "body.a": [1] });
  });
});

describe("differences", () => {
  test("are found at every path, whatever the order of keys", () => {
    expect(differencesBetween({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 3 }], a: 1 })).toEqual([
      { path: "b[1].c", real: 2, ours: 3 },
    ]);
  });

  test("are expected at or below a listed path, and missed when they do not come", () => {
    const where = [{ script: "s", step: "*", path: "body.items[*].x" }];
    const list = new ExpectedDifferences([{ what: "", ours: "", real: "", why: "", where }]);
    expect(list.unmet(new Set(["s"]), "some")).toEqual(where);
    expect(list.covers("s", "any", { path: "body.items[3].x.y", real: 1, ours: 2 })).toBe(true);
    expect(list.covers("s", "any", { path: "body.items[3].xy", real: 1, ours: 2 })).toBe(false);
    expect(list.unmet(new Set(["s"]), "some")).toEqual([]);
  });
});

describe("the scripts", () => {
  test("send enough", () => {
    expect(scripts.flatMap(({ steps }) => steps).length).toBeGreaterThanOrEqual(150);
  });

  test("name each step once, so that a difference can be listed", () => {
    for (const { steps } of scripts) expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
  });

  test("a field that no step has is refused", () => {
    const scratch = mkdtempSync(join(tmpdir(), "differential-script-"));
    const file = join(scratch, "s.json");
    writeFileSync(file, JSON.stringify([{ path: "/x", verb: "GET" }]));
    expect(() => readScript(file)).toThrow("step 1 has a field verb");
    rmSync(scratch, { recursive: true });
  });

  test("know every place that is listed as differing", () => {
    const steps = new Set(scripts.flatMap(({ name, steps: all }) => all.map((step) => `${name}: ${step.name}`)));
    const places = expected.flatMap(({ where }) => where).filter(({ script }) => script !== "*");
    expect(places.filter(({ script, step }) => !steps.has(`${script}: ${step}`))).toEqual([]);
  });

  test("docs/compatibility.md tells exactly what is listed", () => {
    const rows = readFileSync(join(root, "docs/compatibility.md"), "utf8").split("\n");
    const cells = rows
      .filter((row) => row.startsWith("|"))
      .slice(2)
      .map((row) => row.split("|").slice(1, -1))
      .map((row) => row.map((cell) => cell.trim()));
    expect(cells).toEqual(expected.map(({ what, ours, real, why }) => [what, ours, real, why]));
  });
});
