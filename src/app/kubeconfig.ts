import { chmod, rename, writeFile } from "node:fs/promises";
import { printYaml } from "#machinery";

export interface KubeconfigOptions {
  readonly server: string;
  /** Certificates and key in PEM. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Writes a kubeconfig that only its owner can read; whoever reads it meanwhile sees the old one or the new one. */
export async function writeKubeconfig(file: string, options: KubeconfigOptions): Promise<void> {
  const { server, authority, certificate, key } = options;
  const name = "capstan";
  const text = printYaml({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server, "certificate-authority-data": base64(authority) } }],
    users: [{ name, user: { "client-certificate-data": base64(certificate), "client-key-data": base64(key) } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
