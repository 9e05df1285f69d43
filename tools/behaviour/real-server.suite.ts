import { describe } from "vitest";
import { behaviourSuite, type Subject } from "#apiserver/behaviour";
import { remoteTransport } from "./remote-transport.ts";

// Whether the suite's expectations are those of Kubernetes:
//   KUBECONFIG=FILE npx vitest run --config tools/behaviour/vitest.config.ts
const kubeconfig = process.env["KUBECONFIG"] ?? "";
const run = Date.now().toString(36);
let opened = 0;

describe("the real server", () => behaviourSuite(open));

function open(): Promise<Subject> {
  return Promise.resolve({
    transport: remoteTransport(kubeconfig),
    run: `${run}${(++opened).toString(36)}x`,
    eventually,
    close: () => Promise.resolve(),
  });
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
