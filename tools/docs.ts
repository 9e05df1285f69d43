import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { kinds } from "#api";
import { allTables } from "#app";
import { describeError } from "#base";
import { conditionPages } from "./docs/condition-pages.ts";
import { errorClassesIn, errorsPage } from "./docs/error-classes.ts";
import { kindPages } from "./docs/kind-pages.ts";
import { type GeneratedDocs, staleDocs, writeDocs } from "./docs/generated.ts";
import { terminalPictures } from "./docs/terminal-pictures.ts";
import { root } from "./root.ts";
import { notedRowTests } from "./rows/row-files.ts";
import { sourceFilesIn } from "./source-files.ts";

const usage = "usage: npm run docs -- [--check]";

try {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  const docs = await generateDocs();
  const stale = staleDocs(root, docs);
  if (!values.check) {
    writeDocs(root, docs);
    console.log(stale.length === 0 ? "nothing to write" : `wrote ${docs.files.size} documents`);
  } else if (stale.length > 0) {
    console.error([...stale, "`npm run docs` writes them anew"].join("\n"));
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`${describeError(error)}\n${usage}`);
  process.exitCode = 1;
}

async function generateDocs(): Promise<GeneratedDocs> {
  const sources = [...sourceFilesIn(join(root, "src"))].filter(([path]) => /(?<!\.test)\.ts$/.test(path));
  const pages = [...conditionPages(allTables, { tests: notedRowTests(), hasDump: isThere })].map(
    ([name, text]) => [`docs/conditions/${name}`, text] as const,
  );
  const kindDocs = [...kindPages(kinds)].map(([name, text]) => [`docs/api/${name}`, text] as const);
  const pictures = [...(await terminalPictures())].map(([name, text]) => [`docs/pictures/${name}`, text] as const);
  const errors = ["docs/errors.md", errorsPage(errorClassesIn(new Map(sources)))] as const;
  return {
    folders: ["docs/api", "docs/conditions", "docs/pictures"],
    files: new Map([errors, ...pages, ...kindDocs, ...pictures]),
  };
}

function isThere(path: string): boolean {
  return existsSync(join(root, path));
}
