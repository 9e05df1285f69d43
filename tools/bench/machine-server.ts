import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, systemClock } from "#base";
import { openPki, writeKubeconfig } from "#apiserver";
import { openMachinePlane } from "./machine-plane.ts";

// A server with Machines in a process of its own; a message to it says how many changes to make in each of so many slices.
const count = Number(process.argv[2] ?? "10000");
const folder = mkdtempSync(join(tmpdir(), "capstan-machines-"));
process.once("disconnect", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
const pki = await openPki({ folder, clock: systemClock });
const plane = await openMachinePlane(count, pki);
const { server } = plane;
if (server.security === undefined) throw new Error("the server was opened without security");
const { port } = await server.listen({
  security: server.security,
  tls: { cert: pki.serving.certificate, key: pki.serving.key, clientCa: pki.authority },
  log: createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr }),
  port: 0,
});
const kubeconfig = join(folder, "kubeconfig");
await writeKubeconfig(kubeconfig, { server: `https://127.0.0.1:${port}`, pki });
process.on("message", (order: { readonly changes: number; readonly perSecond: number }) => void change(order));
process.send?.({ kubeconfig });

/** Makes changes at a steady rate, ten slices a second. */
async function change({ changes, perSecond }: { readonly changes: number; readonly perSecond: number }): Promise<void> {
  const begun = performance.now();
  const slice = perSecond / 10;
  for (let made = 0; made < changes; made += slice) {
    await plane.touch(slice);
    const due = begun + ((made + slice) / perSecond) * 1000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  }
  process.send?.({ done: changes });
}
