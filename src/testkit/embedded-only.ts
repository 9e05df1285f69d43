import { inject, type TestContext } from "vitest";

/** Leaves a test out on a real server, for a reason that the end of the run tells; our own server runs it always. */
export function embeddedOnly(t: TestContext, reason: string): void {
  const kubeconfig: string | undefined = inject("realKubeconfig");
  if (kubeconfig !== undefined) t.skip(reason);
}
