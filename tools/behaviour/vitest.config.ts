import { defineConfig } from "vitest/config";

const root = `${import.meta.dirname}/../..`;

/** The behaviour suite on a server of its user's choice; not part of the tests of this project. */
export default defineConfig({
  root,
  resolve: { alias: [{ find: /^#(.+)$/, replacement: `${root}/src/$1/index.ts` }] },
  test: { include: ["tools/behaviour/*.suite.ts"], testTimeout: 30_000, hookTimeout: 30_000 },
});
