import { describe } from "vitest";
import { behaviourSuite, type Subject } from "#apiserver/behaviour";
import { createHttpTransport, loadConnection } from "#client";

// Whether the suite's expectations are those of Kubernetes:
//   KUBECONFIG=FILE npx vitest run --config tools/behaviour/vitest.config.ts
const run = Date.now().toString(36);
let opened = 0;

describe("the real server", () => behaviourSuite(open));

async function open(): Promise<Subject> {
  const transport = createHttpTransport(await loadConnection({ environment: process.env }));
  return {
    transport,
    run: `${run}${(++opened).toString(36)}x`,
    eventually,
    close: () => Promise.resolve(transport.close()),
  };
}

async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + 10_000;
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
