import { describe, expect, test } from "vitest";
import type { Subject } from "#apiserver/behaviour";
import { createHttpTransport, loadConnection } from "#client";
import { kindSuite } from "./kind-suite.ts";

// Whether the expectations are those of Kubernetes: CAPSTAN_TEST_KUBECONFIG=FILE npx vitest run test/kinds
const kubeconfig = process.env["CAPSTAN_TEST_KUBECONFIG"] ?? "";

const suite = kubeconfig === "" ? sayThatNobodyWasAsked : ask;

describe("the real server", () => {
  suite();
});

function ask(): void {
  kindSuite(open);
}

function sayThatNobodyWasAsked(): void {
  test("was NOT ASKED: CAPSTAN_TEST_KUBECONFIG names no kubeconfig", () => {
    process.stderr.write("\nNo real kube-apiserver was asked about the kinds: set CAPSTAN_TEST_KUBECONFIG.\n");
    expect(kubeconfig).toBe("");
  });
}

async function open(): Promise<Subject> {
  const transport = createHttpTransport(await loadConnection({ environment: { KUBECONFIG: kubeconfig } }));
  return { transport, run: "kinds", eventually, close: () => Promise.resolve(transport.close()) };
}

async function eventually(check: () => Promise<void>): Promise<void> {
  const end = performance.now() + 10_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
