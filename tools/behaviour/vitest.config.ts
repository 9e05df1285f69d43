import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "../..");

const resolve = {
  alias: [
    { find: /^#(.+)$/, replacement: `${root}/src/$1/index.ts` },
    { find: "capstan/extension", replacement: `${root}/src/extensions/index.ts` },
    { find: /^capstan\/(.+)$/, replacement: `${root}/src/$1/index.ts` },
  ],
};
const patience = { testTimeout: 90_000, hookTimeout: 90_000 };

/**
 * Everything that holds on a real kube-apiserver: the conformance suites, the managers, and all scenarios. Not every
 * machine has such a server. All share one, which is found once; each group begins when the one before has ended.
 */
export default defineConfig({
  root,
  test: {
    globalSetup: [`${import.meta.dirname}/find-real-server.ts`],
    reporters: ["default", `${import.meta.dirname}/not-run-reporter.ts`],
    projects: [
      {
        root,
        resolve,
        test: {
          ...patience,
          name: "suites",
          include: ["tools/behaviour/*.suite.ts"],
          exclude: ["tools/behaviour/webhooks.suite.ts"],
          // They wait more than they work.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        root,
        resolve,
        test: {
          ...patience,
          name: "webhooks",
          // Alone, because a server asks them about everybody's writes.
          include: ["tools/behaviour/webhooks.suite.ts"],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        root,
        resolve,
        test: {
          ...patience,
          name: "scenarios",
          include: ["test/scenarios/**/*.test.ts"],
          // One after the other: they take kinds away, and have extensions of the same names.
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
