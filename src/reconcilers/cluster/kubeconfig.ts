import { generateKeyPairSync } from "node:crypto";
import { type Cluster, labels } from "#api";
import {
  type CertificateSigner,
  InvalidAuthorityError,
  issueCertificate,
  readAuthority,
  requeueAfter,
  retry,
  seconds,
} from "#base";
import { ownerReferenceTo } from "#contract";
import { defineStep } from "#control";
import { fieldAt, isAlreadyExists, type KubeObject, printYaml } from "#machinery";
import { hasEndpoint, serverAt } from "./endpoint.ts";
import { ClusterAuthorityError } from "./errors.ts";
import type { ClusterFacts } from "./facts.ts";
import type { ClusterPorts } from "./ports.ts";

const Secret = { group: "", version: "v1", kind: "Secret" } as const;

const missingAuthorityRetry = seconds(30);

const year = 365 * 24 * 60 * 60 * 1000;

/** Writes the kubeconfig of a Cluster that has no control plane object to do it. */
export const kubeconfig = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "kubeconfig",
  text: "without a control plane object, make the Secret NAME-kubeconfig from the authority in NAME-ca",

  async run({ object: cluster, spec, client, clock, signal }) {
    const { namespace = "", name: clusterName = "" } = cluster.metadata;
    if (cluster.spec.controlPlaneRef !== undefined || cluster.spec.topology !== undefined) return undefined;
    if (!hasEndpoint(spec)) return undefined;
    const key = { namespace, name: `${clusterName}-kubeconfig` };
    if ((await client.find(Secret, key, { signal })) !== undefined) return undefined;
    const authority = await client.find(Secret, { namespace, name: `${clusterName}-ca` }, { signal });
    if (authority === undefined) return requeueAfter(missingAuthorityRetry, `waiting for Secret ${clusterName}-ca`);
    try {
      const server = serverAt(spec.controlPlaneEndpoint ?? {});
      const value = kubeconfigFor(clusterName, server, pemIn(authority), clock.instant());
      await client.create(Secret, secretOf(cluster, key, value), { signal });
    } catch (error) {
      if (error instanceof InvalidAuthorityError) {
        return retry(new ClusterAuthorityError(`Secret ${clusterName}-ca cannot be used`, { cause: error }));
      }
      // Its name was known before the call, so whoever made it made the same thing.
      if (!isAlreadyExists(error)) throw error;
    }
    return undefined;
  },
});

interface Authority {
  readonly certificate: string;
  readonly key: string;
}

/** A kubeconfig with which an administrator reaches a cluster. */
export function kubeconfigFor(clusterName: string, server: string, authority: Authority, now: number): string {
  const user = `${clusterName}-admin`;
  const { certificate, key } = clientCertificate(readAuthority(authority), now);
  return printYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: clusterName, cluster: { server, "certificate-authority-data": base64(authority.certificate) } }],
    users: [{ name: user, user: { "client-certificate-data": base64(certificate), "client-key-data": base64(key) } }],
    contexts: [{ name: `${user}@${clusterName}`, context: { cluster: clusterName, user } }],
    "current-context": `${user}@${clusterName}`,
    preferences: {},
  });
}

function clientCertificate(signer: CertificateSigner, now: number): Authority {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = { commonName: "kubernetes-admin", organizations: ["system:masters"] };
  const certificate = issueCertificate(
    // Clocks of other machines may be a little behind.
    { subject, publicKey, purpose: { kind: "client" }, notBefore: now - 5 * 60 * 1000, notAfter: now + year },
    signer,
  );
  return { certificate, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function secretOf(
  cluster: Cluster,
  key: { readonly namespace: string; readonly name: string },
  value: string,
): KubeObject {
  const { name: clusterName = "" } = cluster.metadata;
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      ...key,
      labels: { [labels.clusterName]: clusterName },
      ownerReferences: [ownerReferenceTo(cluster, { controller: false })],
    },
    type: "cluster.x-k8s.io/secret",
    data: { value: base64(value) },
  };
  return secret;
}

function pemIn(secret: KubeObject): Authority {
  const at = (name: string) => {
    const value = fieldAt(secret, "data", name);
    return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : "";
  };
  return { certificate: at("tls.crt"), key: at("tls.key") };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
