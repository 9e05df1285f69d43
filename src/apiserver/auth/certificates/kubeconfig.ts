import { printYaml } from "#machinery";
import type { Pki } from "./pki.ts";
import { writePrivately } from "./private-file.ts";

export interface KubeconfigOptions {
  /** Where the server is reached: `https://127.0.0.1:6443`. */
  readonly server: string;
  readonly pki: Pick<Pki, "authority" | "admin">;
  /** The name of cluster, user and context. */
  readonly name?: string;
}

/** Writes a kubeconfig of the administrator, which only its owner can read. */
export async function writeKubeconfig(file: string, options: KubeconfigOptions): Promise<void> {
  await writePrivately(file, kubeconfigText(options));
}

/** A kubeconfig of the administrator. */
export function kubeconfigText({ server, pki, name = "capstan" }: KubeconfigOptions): string {
  return printYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": encoded(pki.authority) } }],
    users: [
      {
        name,
        user: {
          "client-certificate-data": encoded(pki.admin.certificate),
          "client-key-data": encoded(pki.admin.key),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64");
}
