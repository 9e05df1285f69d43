import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeError } from "#base";
import { root } from "../root.ts";
import { adapters } from "./adapters/index.ts";
import { notYetBuilt } from "./not-yet-built.ts";
import { runFolder } from "./run-folder.ts";

const usage = "usage: npm run vectors -- [--dir FOLDER] [--file NAME] [--verbose]";

try {
  const { values } = parseArgs({
    options: {
      dir: { type: "string", default: join(root, "test/vectors") },
      file: { type: "string" },
      verbose: { type: "boolean", default: false },
    },
  });
  const { dir, ...options } = values;
  const { failed } = await runFolder(dir, { ...options, adapters, notYetBuilt, print: (line) => console.log(line) });
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(`${describeError(error)}\n${usage}`);
  process.exitCode = 1;
}
