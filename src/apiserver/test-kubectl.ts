import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#base";
import { openPki, writeKubeconfig } from "#apiserver/auth";
import { openMemoryStore } from "#apiserver/store";
import { openApiServer } from "./api-server.ts";
import { createRandom } from "./test-server.ts";

/** A kubectl that tests can drive. */
export interface KubectlProgram {
  readonly name: string;
  readonly command: readonly string[];
}

/** The kubectl that is installed, and the one that comes with a real control plane, as far as they are here. */
export function installedKubectls(surroundings: Surroundings): readonly KubectlProgram[] {
  const programs = [
    { name: "kubectl of the PATH", command: ["kubectl"] },
    { name: "kubectl of real-kube", command: [realKube(surroundings), "kubectl"] },
  ];
  return programs.filter(isInstalled);
}

/** A server of its own, and a kubectl that talks to it. */
export interface DrivenServer extends AsyncDisposable {
  /** What kubectl prints; throws what it complains of. */
  kubectl(...parameters: readonly string[]): Promise<string>;
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
  return {
    kubectl: (...parameters) =>
      new Promise((resolve, reject) => {
        const all = [...first, "--kubeconfig", kubeconfig, ...parameters];
        execFile(name, all, { env: environment(folder, surroundings) }, (error, out, complaint) => {
          if (error === null) resolve(out);
          else reject(new Error(complaint));
        });
      }),
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

function isInstalled({ command: [name = "", ...first] }: KubectlProgram): boolean {
  try {
    execFileSync(name, [...first, "version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Its home is the folder of the test, except for what real-kube keeps in that of the user. */
function environment(folder: string, surroundings: Surroundings): NodeJS.ProcessEnv {
  const { PATH, REAL_KUBE_CACHE = join(homedir(), ".cache/real-kube") } = surroundings;
  return { PATH, REAL_KUBE_CACHE, HOME: folder };
}
