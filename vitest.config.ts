import { defineConfig } from "vitest/config";

// Tests run on the sources, so that a stale build can never pass for the code at hand.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^#(.+)$/, replacement: `${import.meta.dirname}/src/$1/index.ts` },
      // Examples import the package as its users do.
      { find: "capstan/extension", replacement: `${import.meta.dirname}/src/extensions/index.ts` },
      { find: /^capstan\/(.+)$/, replacement: `${import.meta.dirname}/src/$1/index.ts` },
    ],
  },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts"],
    reporters: ["default", `${import.meta.dirname}/tools/rows/row-reporter.ts`],
    setupFiles: [`${import.meta.dirname}/test/random-values.ts`],
    // The row report looks up which rows a test names.
    includeTaskLocation: true,
    // To load the program anew for every file takes longer than most files do; none of them changes what others see.
    isolate: false,
    // The default leaves a core to the main process, which has next to nothing to do after the beginning.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
