import { generateKeyPairSync } from "node:crypto";
import { issueCertificate, readAuthority } from "#base";
import { printYaml } from "#machinery";
import type { KeyPair } from "#providers";

const day = 24 * 60 * 60 * 1000;

/** What an administrator of a workload cluster gets in with. */
export function kubeconfigOf(server: string, authority: KeyPair, now: number): string {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const certificate = issueCertificate(
    {
      subject: { commonName: "administrator", organizations: ["system:masters"] },
      publicKey,
      purpose: { kind: "client" },
      notBefore: now - day,
      notAfter: now + 365 * day,
    },
    readAuthority(authority),
  );
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return printYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server, "certificate-authority-data": base64(authority.certificate) } }],
    users: [{ name: "u", user: { "client-certificate-data": base64(certificate), "client-key-data": base64(key) } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    "current-context": "c",
  });
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
