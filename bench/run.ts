import { join } from "node:path";
import { parseArgs } from "node:util";
import { tuneEngine } from "#app";
import { describeError } from "#base";
import { benchesIn, chooseBenches, loadBench, UnknownBenchError } from "../tools/bench/benches.ts";
import { root } from "../tools/root.ts";

const usage = "usage: npm run bench -- [NAME…] [SIZE…] [--against real] [--only FIGURE]";

// What is measured runs as the program itself does.
tuneEngine();
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { against: { type: "string" }, only: { type: "string" } },
  });
  if (values.against !== undefined && values.against !== "real")
    throw new UnknownBenchError(`--against takes real, not ${values.against}`);
  const sizes = positionals.filter((one) => /^\d+$/.test(one)).map(Number);
  const names = positionals.filter((one) => !/^\d+$/.test(one));
  const only = values.only === undefined ? {} : { only: values.only };
  const options = { against: values.against ?? "capstan", sizes, ...only } as const;
  for (const name of chooseBenches(benchesIn(join(root, "bench")), names)) {
    const bench = await loadBench(import.meta.dirname, name);
    await bench((line) => console.log(JSON.stringify(line)), options);
  }
} catch (error) {
  console.error(`${describeError(error)}\n${usage}`);
  process.exitCode = 1;
}
