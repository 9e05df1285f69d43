import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The kubeconfig of a real kube-apiserver. */
    readonly realKubeconfig: string;
  }
}

const run = promisify(execFile);

/** Takes the server of CAPSTAN_TEST_KUBECONFIG, or starts one with a `real-kube` in PATH for as long as the suite runs. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env["CAPSTAN_TEST_KUBECONFIG"] ?? "";
  if (given !== "") {
    provide("realKubeconfig", given);
    return () => Promise.resolve();
  }
  const folder = await mkdtemp(join(tmpdir(), "capstan-real-kube-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { stdout } = await run("real-kube", ["start", folder]);
    provide("realKubeconfig", stdout.trim().split("\n").at(-1) ?? "");
  } catch (error) {
    await remove();
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const problem = missing ? "there is no real-kube in PATH" : "real-kube did not start";
    const message = `NOT RUN against a real kube-apiserver: CAPSTAN_TEST_KUBECONFIG is not set, and ${problem}`;
    throw new Error(message, { cause: error });
  }
  return async () => {
    await run("real-kube", ["stop", folder]);
    await remove();
  };
}
