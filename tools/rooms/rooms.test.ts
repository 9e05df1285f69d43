import { describe, expect, test } from "vitest";
import { checkFile } from "./check-file.ts";
import { checkTree } from "./check-tree.ts";
import { mayImport } from "./rooms.ts";

const refusals: Readonly<Record<string, { file: string; source: string; problems: readonly string[] }>> = {
  "an upward import": {
    file: "machinery/object.ts",
    source: 'import { decide } from "#conditions";',
    problems: ["machinery/object.ts:1 may not import #conditions: machinery may import only base"],
  },
  "any import from base": {
    file: "base/next.ts",
    source: '\nexport { asJson } from "#machinery";',
    problems: ["base/next.ts:2 may not import #machinery: base may import nothing"],
  },
  "a sideways import between rooms": {
    file: "api/machine.ts",
    source: 'import type { Status } from "#conditions";',
    problems: ["api/machine.ts:1 may not import #conditions: api may import only base, machinery"],
  },
  "a sideways import between kinds": {
    file: "reconcilers/machine/node.ts",
    source: 'import { rollout } from "#reconcilers/machineset";',
    problems: [
      "reconcilers/machine/node.ts:1 may not import #reconcilers/machineset: " +
        "reconcilers do not import each other; what they share belongs in a lower room",
    ],
  },
  "a relative import out of the room": {
    file: "reconcilers/machine/node.ts",
    source: 'import { rollout } from "../machineset/rollout.ts";',
    problems: [
      "reconcilers/machine/node.ts:1 may not import ../machineset/rollout.ts: relative imports stay inside a room",
    ],
  },
  "a deep import": {
    file: "control/pass.ts",
    source: 'import { row } from "#conditions/table";',
    problems: ["control/pass.ts:1 may not import #conditions/table: only through the front door, #conditions"],
  },
  "a part of the API server from outside it": {
    file: "providers/workload.ts",
    source: 'import { createStore } from "#apiserver/store";',
    problems: ["providers/workload.ts:1 may not import #apiserver/store: only through the front door, #apiserver"],
  },
  "the whole API server from one of its parts": {
    file: "apiserver/store/log.ts",
    source: 'import { createApiServer } from "#apiserver";',
    problems: ["apiserver/store/log.ts:1 may not import #apiserver: that is upwards"],
  },
  "its own front door": {
    file: "conditions/decide.ts",
    source: 'import { row } from "#conditions";',
    problems: [
      "conditions/decide.ts:1 may not import #conditions: a room does not import itself through its front door",
    ],
  },
  "a room that does not exist": {
    file: "app/main.ts",
    source: 'import "#toolbox";',
    problems: ["app/main.ts:1 may not import #toolbox: there is no room toolbox"],
  },
  "the testkit outside tests": {
    file: "control/pass.ts",
    source: 'const kit = await import("#testkit");',
    problems: [
      "control/pass.ts:1 may not import #testkit: control may import only base, machinery, conditions, client",
    ],
  },
  "a dynamic import of something computed": {
    file: "control/pass.ts",
    source: "await import(name);",
    problems: ["control/pass.ts:1 imports what only running it can tell"],
  },
  "reading the clock, chance and the environment": {
    file: "control/pass.ts",
    source: [
      "const a = `${Date.now()}`;",
      "const b = new Date();",
      "const c = performance.now();",
      "const d = Math.random();",
      "const e = process.env;",
    ].join("\n"),
    problems: [
      "control/pass.ts:1 reads Date.now; take a Clock instead",
      "control/pass.ts:2 reads new Date(); take a Clock instead",
      "control/pass.ts:3 reads performance.now; take a Clock instead",
      "control/pass.ts:4 reads Math.random; take a source of randomness instead",
      "control/pass.ts:5 reads process.env; take an option instead",
    ],
  },
};

describe("a file is refused", () => {
  test.each(Object.entries(refusals))("%s", (_, { file, source, problems }) => {
    expect(checkFile(file, source)).toEqual(problems);
  });
});

const fine: Readonly<Record<string, { file: string; source: string }>> = {
  "a downward import": { file: "control/pass.ts", source: 'import { decide } from "#conditions";' },
  "a relative import inside the room": { file: "machinery/schema/json-schema.ts", source: 'import "../json.ts";' },
  "the testkit in a test": { file: "base/clock.test.ts", source: 'import { noon } from "#testkit";' },
  "a part of the API server from another": { file: "apiserver/http/serve.ts", source: 'import "#apiserver/store";' },
  "a kind from the front door of all kinds": { file: "reconcilers/index.ts", source: 'import "#reconcilers/machine";' },
  "a package": { file: "machinery/yaml.ts", source: 'import { load } from "js-yaml";' },
  "the clock itself": { file: "base/clock.ts", source: "Date.now();" },
  "the environment in app": { file: "app/main.ts", source: "process.env;" },
  "a date from a number": { file: "base/timestamp.ts", source: "new Date(0);" },
  "forbidden things inside texts, comments and expressions": {
    file: "base/next.ts",
    source: [
      '// import { a } from "#app";',
      '/* Date.now() */ const a = "import \'#app\'", b = `from "#app" Math.random`, c = /from "#app"`/g;',
      "const d = `${`${b}`} process.env`;",
    ].join("\n"),
  },
};

describe("a file is fine with", () => {
  test.each(Object.entries(fine))("%s", (_, { file, source }) => {
    expect(checkFile(file, source)).toEqual([]);
  });
});

test("what stands after a regular expression or a template is still seen", () => {
  const source = 'const a = x.replace(/["\'`]/g, "") / 2;\nconst b = `${{ c: `}` }}`;\nimport("#app");';
  expect(checkFile("base/next.ts", source)).toEqual(["base/next.ts:3 may not import #app: base may import nothing"]);
});

test("the table has no cycle", () => {
  const above = (room: string, seen: readonly string[]): readonly string[] =>
    seen.includes(room) ? [room] : (mayImport[room] ?? []).flatMap((next) => above(next, [...seen, room]));
  expect(Object.keys(mayImport).filter((room) => above(room, []).length > 0)).toEqual([]);
});

test("a layout that says nothing is refused", () => {
  const files = new Map([
    ["base/README.md", "x\n".repeat(81)],
    ["base/utils.ts", ""],
    ["base/lib/x.ts", ""],
    ["toolbox/index.ts", ""],
    ["toolbox/README.md", ""],
    ["apiserver/index.ts", ""],
    ["apiserver/store/log.ts", ""],
    ["stray.ts", ""],
  ]);
  expect(checkTree(files)).toEqual([
    "toolbox/ is no room: name it in tools/rooms/rooms.ts first",
    "base/ has no front door (index.ts)",
    "apiserver/store/ has no front door (index.ts)",
    "base/README.md has 81 lines, at most 80 are allowed",
    "apiserver/ has no README.md",
    "base/utils.ts is named after nothing: utils.ts says not what is inside",
    "base/lib/x.ts is named after nothing: x.ts says not what is inside",
    "stray.ts lives in no room",
  ]);
});
