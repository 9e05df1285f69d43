import { describe, inject } from "vitest";
import { behaviourSuite, type Subject } from "#apiserver/behaviour";
import { createHttpTransport, loadConnection } from "#client";
import { cacheSuite } from "../../test/conformance/cache-suite.ts";
import { clientSuite } from "../../test/conformance/client-suite.ts";

// Whether the suites' expectations are those of Kubernetes: npm run test:real
const run = Date.now().toString(36);
let opened = 0;

describe("the real server", () => {
  behaviourSuite(open);
  describe("by kind", () => clientSuite(open));
  describe("from caches", () => cacheSuite(open));
});

async function open(): Promise<Subject> {
  const transport = createHttpTransport(await loadConnection({ path: inject("realKubeconfig") }));
  return {
    transport,
    run: `${run}${(++opened).toString(36)}x`,
    eventually,
    close: () => Promise.resolve(transport.close()),
  };
}

/** A fresh server takes half a minute until its garbage collector has heard of a new kind. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
