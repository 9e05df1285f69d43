import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chaos } from "./chaos.ts";
import { root } from "./root.ts";

test("clusters that are being created survive the death of the plane, none lost and none twice", async () => {
  // What is killed is the compiled program.
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", "tsconfig.src.json"], {
    cwd: root,
  });
  const lines: string[] = [];
  await chaos({ clusters: 3, kills: 2, seed: 20_261_115, print: (line) => lines.push(line) });
  expect(lines.at(-2)).toBe("all 3 clusters are ready; nothing is there twice, and nothing belongs to nobody");
  expect(lines.at(-1)).toBe("all of it is gone again");
});
