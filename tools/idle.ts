import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startCapstan } from "./bench/wire-subject.ts";
import { holdIdle } from "./idle/idle-connections.ts";

// Holds idle connections to a server from another process:
//   npm run idle -- [--connections N]
const { values } = parseArgs({ options: { connections: { type: "string", default: "10000" } } });
const folder = mkdtempSync(join(tmpdir(), "capstan-idle-"));
const subject = await startCapstan(folder);
try {
  const report = await holdIdle(subject, join(folder, "kubeconfig"), Number(values.connections));
  console.log(JSON.stringify(report));
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await subject.stop();
}
