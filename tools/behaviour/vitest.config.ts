import { defineConfig } from "vitest/config";

const root = `${import.meta.dirname}/../..`;

/** The conformance suites on a real kube-apiserver; run by hand, because not every machine has one. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^#(.+)$/, replacement: `${root}/src/$1/index.ts` },
      { find: "capstan/extension", replacement: `${root}/src/extensions/index.ts` },
      { find: /^capstan\/(.+)$/, replacement: `${root}/src/$1/index.ts` },
    ],
  },
  test: {
    include: ["tools/behaviour/*.suite.ts"],
    globalSetup: [`${import.meta.dirname}/find-real-server.ts`],
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
