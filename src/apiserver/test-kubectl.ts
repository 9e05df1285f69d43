import { type ChildProcessByStdio, execFile, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { systemClock } from "#base";
import { openPki, writeKubeconfig } from "#apiserver/auth";
import { openMemoryStore } from "#apiserver/store";
import { openApiServer } from "./api-server.ts";
import { createRandom } from "./test-server.ts";

/** A kubectl that tests can drive. */
export interface KubectlProgram {
  readonly name: string;
  readonly command: readonly string[];
  /** Why it is not even asked for its version. */
  readonly absent?: string;
}

/** The kubectl that is installed, and the one that comes with a real control plane. */
export function knownKubectls(surroundings: Surroundings): readonly KubectlProgram[] {
  const ofRealKube = { name: "kubectl of real-kube", command: [realKube(surroundings), "kubectl"] };
  // To ask real-kube for anything would have it compile Kubernetes for minutes, in the midst of the tests.
  const isBuilt = existsSync(join(realKubeCache(surroundings), "kube-1.35.8"));
  return [
    { name: "kubectl of the PATH", command: ["kubectl"] },
    isBuilt ? ofRealKube : { ...ofRealKube, absent: "`real-kube build` makes it" },
  ];
}

/** Those that are here. */
export function installedKubectls(surroundings: Surroundings): readonly KubectlProgram[] {
  return knownKubectls(surroundings).filter((program) => program.absent === undefined && isInstalled(program));
}

/** A server of its own, and a kubectl that talks to it. */
export interface DrivenServer extends AsyncDisposable {
  /** The administrator's, as a file. */
  readonly kubeconfig: string;
  /** What kubectl prints; throws what it complains of. That `diff` finds a difference is no complaint. */
  kubectl(...parameters: readonly string[]): Promise<string>;
  /** A kubectl that goes on by itself. */
  start(...parameters: readonly string[]): ChildProcessByStdio<null, Readable, null>;
  /** Writes a file for kubectl and tells where it is. */
  file(name: string, content: object): string;
}

/** The variables of the process, handed in. */
type Surroundings = Readonly<Record<string, string | undefined>>;

/** Opens a server and drives it with a kubectl. */
export async function driveServer({ command }: KubectlProgram, surroundings: Surroundings): Promise<DrivenServer> {
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  const folder = mkdtempSync(join(tmpdir(), "capstan-kubectl-"));
  const pki = await openPki({ folder: join(folder, "pki"), clock: systemClock });
  const { authority, tokenKey, serving } = pki;
  const server = await openApiServer({
    store: openMemoryStore(),
    clock: systemClock,
    log,
    random: createRandom(1),
    uuid: randomUUID,
    security: { authority, tokenKey, issuer: "https://issuer.test" },
    onFatal: (error) => {
      throw error;
    },
  });
  const { security } = server;
  if (security === undefined) throw new Error("the server has no security");
  const tls = { cert: serving.certificate, key: serving.key, clientCa: authority };
  const http = await server.listen({ security, answered: security.answeredResources, tls, log, port: 0 });
  const kubeconfig = join(folder, "kubeconfig");
  await writeKubeconfig(kubeconfig, { server: `https://127.0.0.1:${http.port}`, pki });
  const [name = "", ...first] = command;
  const begin = [...first, "--kubeconfig", kubeconfig];
  const env = environment(folder, surroundings);
  return {
    kubeconfig,
    kubectl: (...parameters) =>
      new Promise((resolve, reject) => {
        execFile(name, [...begin, ...parameters], { env }, (error, out, complaint) => {
          if (error === null || (parameters[0] === "diff" && error.code === 1)) resolve(out);
          else reject(new Error(complaint));
        });
      }),
    start: (...parameters) => spawn(name, [...begin, ...parameters], { env, stdio: ["ignore", "pipe", "ignore"] }),
    file(path, content) {
      writeFileSync(join(folder, path), JSON.stringify(content));
      return join(folder, path);
    },
    async [Symbol.asyncDispose]() {
      await http.close();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The program that REAL_KUBE names, or the one beside the repository. */
function realKube({ REAL_KUBE }: Surroundings): string {
  const beside = join(import.meta.dirname, "../../../shared/tools/real-kube/real-kube");
  return REAL_KUBE ?? beside;
}

/** Where real-kube keeps what it has compiled. */
function realKubeCache({ REAL_KUBE_CACHE = join(homedir(), ".cache/real-kube") }: Surroundings): string {
  return REAL_KUBE_CACHE;
}

function isInstalled({ command: [name = "", ...first] }: KubectlProgram): boolean {
  try {
    execFileSync(name, [...first, "version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Its home is the folder of the test, except for what real-kube keeps in that of the user. Whatever is edited has its
 * `a: b` changed to `a: edited`.
 */
function environment(folder: string, surroundings: Surroundings): NodeJS.ProcessEnv {
  return {
    PATH: surroundings["PATH"],
    REAL_KUBE_CACHE: realKubeCache(surroundings),
    HOME: folder,
    KUBE_EDITOR: "sed -i s/a:.*b/a\\:\\ edited/",
  };
}
