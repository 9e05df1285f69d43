import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkFile } from "../tools/rooms/check-file.ts";
import { checkTree } from "../tools/rooms/check-tree.ts";

const source = import.meta.dirname;
const files = new Map(
  readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(source.length + 1), readFileSync(path, "utf8")]),
);

test("every room has a front door, a page about itself, and a name", () => {
  expect(checkTree(files)).toEqual([]);
});

for (const [file, text] of files) {
  if (!file.endsWith(".ts") || !file.includes("/")) continue;
  test(`${file} keeps to its room`, () => {
    expect(checkFile(file, text)).toEqual([]);
  });
}
