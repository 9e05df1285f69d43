import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCapstan } from "../bench/wire-subject.ts";
import { holdIdle } from "./idle-connections.ts";

const connections = 1000;
// Each of them is a handshake, on machines of all kinds.
const slow = 180_000;

test(
  "a thousand connections on which nothing happens keep nobody from being served",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "capstan-idle-"));
    const subject = await startCapstan(folder);
    try {
      const report = await holdIdle(subject, join(folder, "kubeconfig"), connections);
      expect(report.opened).toBe(connections);
      expect(report.memoryMB - report.memoryBeforeMB).toBeLessThan(200);
    } finally {
      await subject.stop();
    }
  },
  slow,
);
