import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRealKube, whereRealKubeIs } from "../real-kube.ts";
import { root } from "../root.ts";
import { RemoteServer } from "./remote-server.ts";

/** A server that answers requests until it is stopped. */
export interface RunningServer {
  readonly kubeconfig: string;
  readonly remote: RemoteServer;
  readonly stop: () => Promise<void>;
}

/** The server of a kubeconfig; it goes on running. */
export function reach(kubeconfig: string): RunningServer {
  const remote = new RemoteServer(kubeconfig);
  return { kubeconfig, remote, stop: () => Promise.resolve(remote.close()) };
}

/** A real kube-apiserver of this machine, started through real-kube and stopped with its data thrown away. */
export function startReal(): RunningServer {
  const program = findRealKube();
  if (program === undefined) {
    throw new Error(`no real kube-apiserver: ${whereRealKubeIs}; name a running server with --real KUBECONFIG`);
  }
  const folder = mkdtempSync(join(tmpdir(), "differential-real-"));
  const kubeconfig = execFileSync(program, ["start", folder], { encoding: "utf8" }).trim();
  const remote = new RemoteServer(kubeconfig);
  const stop = () => {
    remote.close();
    execFileSync(program, ["stop", folder]);
    return Promise.resolve(rmSync(folder, { recursive: true }));
  };
  return { kubeconfig, remote, stop };
}

/** Our own server in a process of its own, with its objects in memory. */
export async function startOurs(): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), "differential-ours-"));
  const serve = ["serve", "--data", folder, "--port", "0", "--ephemeral"];
  const child = spawn(process.execPath, [join(root, "bin/capstan"), ...serve], { stdio: ["ignore", "pipe", "pipe"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("serving on")) resolve();
    });
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`capstan serve ended: ${said}`)));
  });
  const kubeconfig = join(folder, "kubeconfig");
  const remote = new RemoteServer(kubeconfig);
  const stop = async () => {
    remote.close();
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true });
  };
  return { kubeconfig, remote, stop };
}
