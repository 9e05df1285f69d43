import { parseArgs } from "node:util";
import { kinds } from "#api";
import { describeError } from "#base";
import { crdFiles } from "./crds/crd-files.ts";
import { staleDocs, writeDocs } from "./docs/generated.ts";
import { root } from "./root.ts";

const usage = "usage: npm run crds -- [--check | --json]";

try {
  const { values } = parseArgs({
    options: { check: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
  });
  if (values.json) console.log(JSON.stringify(kinds.map((kind) => kind.crd())));
  else writeOrCheck(values.check);
} catch (error) {
  console.error(`${describeError(error)}\n${usage}`);
  process.exitCode = 1;
}

function writeOrCheck(check: boolean): void {
  const generated = { folders: ["config/crd"], files: crdFiles(kinds) };
  const stale = staleDocs(root, generated);
  if (!check) {
    writeDocs(root, generated);
    console.log(stale.length === 0 ? "nothing to write" : `wrote ${generated.files.size} definitions`);
  } else if (stale.length > 0) {
    console.error([...stale, "`npm run crds` writes them anew"].join("\n"));
    process.exitCode = 1;
  }
}
