import { expect, test } from "vitest";
import { checkFile } from "../tools/rooms/check-file.ts";
import { checkTree } from "../tools/rooms/check-tree.ts";
import { sourceFilesIn } from "../tools/source-files.ts";

const files = sourceFilesIn(import.meta.dirname);

test("every room has a front door, a page about itself, and a name", () => {
  expect(checkTree(files)).toEqual([]);
});

for (const [file, text] of files) {
  if (!file.endsWith(".ts") || !file.includes("/")) continue;
  test(`${file} keeps to its room`, () => {
    expect(checkFile(file, text)).toEqual([]);
  });
}
