import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { staleDocs, writeDocs } from "./generated.ts";

test("documents are stale until they are written, and again once someone edits them", () => {
  const root = mkdtempSync(join(tmpdir(), "capstan-docs-"));
  const docs = {
    folders: ["docs/conditions"],
    files: new Map([
      ["docs/conditions/a.md", "a\n"],
      ["docs/errors.md", "e\n"],
    ]),
  };

  expect(staleDocs(root, docs)).toEqual(["docs/conditions/a.md is missing", "docs/errors.md is missing"]);
  writeDocs(root, docs);
  expect(staleDocs(root, docs)).toEqual([]);

  writeFileSync(join(root, "docs/errors.md"), "edited\n");
  writeFileSync(join(root, "docs/conditions/old.md"), "old\n");
  expect(staleDocs(root, docs)).toEqual([
    "docs/errors.md is not what the sources say",
    "docs/conditions/old.md is written by nobody any more",
  ]);
  writeDocs(root, docs);
  expect(staleDocs(root, docs)).toEqual([]);
  rmSync(root, { recursive: true });
});
