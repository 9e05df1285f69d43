import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { findRealKube, whereRealKubeIs } from "../real-kube.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The kubeconfig of a real kube-apiserver. */
    readonly realKubeconfig: string;
  }
}

const run = promisify(execFile);

/** Takes the server of CAPSTAN_TEST_KUBECONFIG, or starts one for as long as the suite runs. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env["CAPSTAN_TEST_KUBECONFIG"] ?? "";
  if (given !== "") {
    provide("realKubeconfig", given);
    return () => Promise.resolve();
  }
  const program = findRealKube();
  if (program === undefined) throw notRun(whereRealKubeIs);
  const folder = await mkdtemp(join(tmpdir(), "capstan-real-kube-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { stdout } = await run(program, ["start", folder]);
    provide("realKubeconfig", stdout.trim().split("\n").at(-1) ?? "");
  } catch (error) {
    await remove();
    throw notRun("real-kube did not start", error);
  }
  return async () => {
    await run(program, ["stop", folder]);
    await remove();
  };
}

function notRun(why: string, cause?: unknown): Error {
  const message = `NOT RUN against a real kube-apiserver: CAPSTAN_TEST_KUBECONFIG is not set, and ${why}`;
  return new Error(message, { cause });
}
