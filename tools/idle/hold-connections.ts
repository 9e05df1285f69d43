import { readFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { connect } from "node:tls";
import { fieldAt, parseYaml } from "#machinery";

// Opens connections and holds them without a word, in a process of its own: a third each over HTTP/2, over HTTP/1.1 and
// without even TLS. Tells how many stand; goes when its parent does.
const [kubeconfig = "", wanted = "0"] = process.argv.slice(2);
const config = parseYaml(readFileSync(kubeconfig, "utf8"));
const clusters = fieldAt(config, "clusters");
const cluster = Array.isArray(clusters) ? fieldAt(clusters[0], "cluster") : undefined;
const { hostname: host, port } = new URL(String(fieldAt(cluster, "server")));
const ca = Buffer.from(String(fieldAt(cluster, "certificate-authority-data")), "base64");
const atOnce = 100;

const held = new Set<Socket>();
let opened = 0;
for (let count = 0; count < Number(wanted); count += atOnce) {
  const batch = Math.min(atOnce, Number(wanted) - count);
  await Promise.all(Array.from({ length: batch }, (_, index) => open(count + index)));
}
process.send?.({ opened, held: held.size });
process.on("message", () => process.send?.({ opened, held: held.size }));
process.once("disconnect", () => process.exit());

function open(index: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connection(index, () => {
      opened += 1;
      held.add(socket);
      resolve();
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      held.delete(socket);
      resolve();
    });
    // Whoever does not read does not learn of the end either.
    socket.resume();
  });
}

function connection(index: number, opening: () => void): Socket {
  const address = { host, port: Number(port) };
  if (index % 3 === 0) return connectPlain(address, opening);
  return connect({ ...address, ca, ALPNProtocols: [index % 3 === 1 ? "h2" : "http/1.1"] }, opening);
}
