import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLmdbStore, runBackup, runRestore } from "#apiserver";
import { fieldAt, parseYaml } from "#machinery";
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

/**
 * A real kube-apiserver of this machine, started through real-kube and stopped with its data thrown away. Its past is
 * forgotten: the store keeps none of it, and caches begin with the second start.
 */
export async function startReal(): Promise<RunningServer> {
  const program = findRealKube();
  if (program === undefined) {
    throw new Error(`no real kube-apiserver: ${whereRealKubeIs}; name a running server with --real KUBECONFIG`);
  }
  const folder = mkdtempSync(join(tmpdir(), "differential-real-"));
  execFileSync(program, ["start", folder]);
  execFileSync(program, ["stop", folder]);
  const kubeconfig = execFileSync(program, ["start", folder], { encoding: "utf8" }).trim();
  await forgetHistory(kubeconfig);
  const remote = new RemoteServer(kubeconfig);
  const stop = () => {
    remote.close();
    execFileSync(program, ["stop", folder]);
    return Promise.resolve(rmSync(folder, { recursive: true }));
  };
  return { kubeconfig, remote, stop };
}

/** Has etcd, which real-kube runs two ports below the server, drop everything but the present state. */
async function forgetHistory(kubeconfig: string): Promise<void> {
  const clusters = fieldAt(parseYaml(readFileSync(kubeconfig)), "clusters");
  const server = new URL(String(fieldAt(Array.isArray(clusters) ? clusters[0] : undefined, "cluster", "server")));
  const etcd = (method: string, body: object) =>
    fetch(`http://${server.hostname}:${Number(server.port) - 2}/v3/kv/${method}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
  const present: unknown = await (await etcd("range", { key: "AA==" })).json();
  const compacted = await etcd("compaction", { revision: fieldAt(present, "header", "revision") });
  if (!compacted.ok) throw new Error(`etcd keeps its history: ${await compacted.text()}`);
}

/** Our own server in a process of its own, on data that came back from a backup, and so without a past. */
export async function startOurs(): Promise<RunningServer> {
  const scratch = mkdtempSync(join(tmpdir(), "differential-ours-"));
  const folder = join(scratch, "restored");
  await restoreEmpty(scratch, folder);
  const serve = ["serve", "--data", folder, "--port", "0"];
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
    rmSync(scratch, { recursive: true });
  };
  return { kubeconfig, remote, stop };
}

async function restoreEmpty(scratch: string, data: string): Promise<void> {
  const [original, file] = [join(scratch, "original"), join(scratch, "backup")];
  const silent = { out: () => undefined, err: (line: string) => console.error(line) };
  const store = await openLmdbStore({ directory: original });
  await store.close();
  await runBackup({ data: original, file }, silent);
  await runRestore({ data, file }, silent);
}
