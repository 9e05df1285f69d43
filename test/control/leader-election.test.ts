import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openApiServer, openMemoryStore, openPki, writeKubeconfig } from "#apiserver";
import { createLogger, noTime, systemClock } from "#base";
import { type Client, createClient } from "#client";
import { compileProgram } from "./compiled-program.ts";

const ConfigMap = { group: "", version: "v1", kind: "ConfigMap" };
const Lease = { group: "coordination.k8s.io", version: "v1", kind: "Lease" };
let program: string;
beforeAll(async () => {
  program = await compileProgram(join(import.meta.dirname, "leading-manager.ts"));
});

describe("of two managers in processes of their own", () => {
  test("the other one leads after the leader was killed, and never do both act", async () => {
    const { start, firstActOf, acts, lease } = await scene();
    const a = await start("a");
    await firstActOf("a");
    const b = await start("b");
    a.kill("SIGKILL");
    await once(a, "exit");
    const { renewTime } = await lease();
    await firstActOf("b");
    const { acquireTime } = await lease();
    // Four seconds, and however busy the machine is.
    expect(Date.parse(acquireTime) - Date.parse(renewTime)).toBeLessThan(8_000);
    await start("c");
    b.kill("SIGKILL");
    await firstActOf("c");
    expect(turnsOf(await acts())).toEqual(["a", "b", "c"]);
  });

  test("a leader who was held up and wakes after his time writes nothing any more", async () => {
    const { start, firstActOf, acts } = await scene();
    const a = await start("a");
    await firstActOf("a");
    await start("b");
    a.kill("SIGSTOP");
    await firstActOf("b");
    a.kill("SIGCONT");
    const [code] = await once(a, "exit");
    expect(code).not.toBe(0);
    expect(turnsOf(await acts())).toEqual(["a", "b"]);
  });

  test("a leader who leaves hands over at once", async () => {
    // Nobody waits ten minutes for a lease here.
    const { start, firstActOf, acts, lease } = await scene("600");
    const a = await start("a");
    await firstActOf("a");
    await start("b");
    a.kill("SIGTERM");
    const [code] = await once(a, "exit");
    expect(code).toBe(0);
    await firstActOf("b");
    expect(turnsOf(await acts())).toEqual(["a", "b"]);
    expect(await lease()).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
  });
});

/** A server in this process, on which others leave their marks. */
async function scene(seconds = "4") {
  const folder = mkdtempSync(join(tmpdir(), "capstan-leaders-"));
  const clock = systemClock;
  const log = createLogger({ format: "text", level: "error", clock, destination: process.stderr });
  const pki = await openPki({ folder, clock });
  const server = await openApiServer({
    store: openMemoryStore(),
    clock,
    log,
    random: () => 0.5,
    uuid: randomUUID,
    security: { authority: pki.authority, tokenKey: pki.tokenKey, issuer: "https://kubernetes.default.svc" },
    onFatal: (error) => {
      throw error;
    },
  });
  const { security } = server;
  if (security === undefined) throw new Error("the server was opened without security");
  const tls = { cert: pki.serving.certificate, key: pki.serving.key, clientCa: pki.authority };
  const http = await server.listen({ security, tls, log, port: 0 });
  const kubeconfig = join(folder, "kubeconfig");
  await writeKubeconfig(kubeconfig, { server: `https://127.0.0.1:${http.port}`, pki });
  const client = createClient(server.transport());
  const metadata = { namespace: "default", name: "work" };
  await client.create(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await http.close({ grace: noTime });
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return {
    lease: async () => {
      const { spec } = await client.get(Lease, { namespace: "default", name: "core" });
      return spec as { readonly acquireTime: string; readonly renewTime: string };
    },
    start: async (identity: string): Promise<ChildProcess> => {
      const child = fork(program, [kubeconfig, identity, seconds], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
      children.push(child);
      await once(child, "message");
      return child;
    },
    firstActOf: (identity: string) => seenActing(client, identity),
    acts: async () => (await client.listAll(ConfigMap, { namespace: "default", labelSelector: "actor" })).items,
  };
}

async function seenActing(client: Client, actor: string): Promise<void> {
  const stop = new AbortController();
  const watch = client.watch(ConfigMap, { labelSelector: `actor=${actor}`, signal: stop.signal });
  for await (const event of watch) {
    if (event.kind === "changed" || (event.kind === "listed" && event.objects.length > 0)) stop.abort();
  }
}

/** Who acted, in the order of the server; once for each time that he took over from another. */
function turnsOf(
  acts: readonly {
    readonly metadata: { readonly resourceVersion?: string; readonly labels?: { readonly [key: string]: string } };
  }[],
): readonly string[] {
  const actors = acts
    .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(({ metadata }) => metadata.labels?.["actor"] ?? "");
  return actors.filter((actor, index) => actor !== actors[index - 1]);
}
