import { generateKeyPairSync } from "node:crypto";
import { Cluster } from "#api";
import { issueCertificate, minutes, seconds, systemClock } from "#base";
import { fieldAt } from "#machinery";
import type { World } from "#testkit";
import { describe, expect, test } from "vitest";
import { aCluster, aControlPlane, anInfrastructure } from "./cluster-objects.ts";
import { clusterWorld, told } from "./cluster-world.ts";

describe("the connection to the workload cluster", () => {
  test("is made, lost after a while without an answer, and made again", async (t) => {
    await using world = await clusterWorld(t);
    const workload = await world.workload("c1");
    await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1"));
    await world.settle();
    expect(await told(world, "RemoteConnectionProbe")).toEqual(["connected", "True", "ProbeSucceeded", ""]);
    expect(await told(world, "Available")).toEqual(["available", "True", "Available", ""]);

    await workload.stop();
    const last = world.now;
    await world.advance(seconds(50));
    expect((await told(world, "RemoteConnectionProbe"))[0]).toBe("connected");
    // Five probes have failed, so that the next one is a new try to connect, half a minute later.
    await world.advance(seconds(30));
    const lost = `Remote connection probe failed, probe last succeeded at ${last}`;
    expect(await told(world, "RemoteConnectionProbe")).toEqual(["connection-lost", "False", "ProbeFailed", lost]);
    const available = ["not-available", "False", "NotAvailable", `* RemoteConnectionProbe: ${lost}`];
    expect(await told(world, "Available")).toEqual(available);

    await workload.resume();
    await world.advance(seconds(30));
    expect(await told(world, "RemoteConnectionProbe")).toEqual(["connected", "True", "ProbeSucceeded", ""]);
  });

  test("is not there yet while nobody has answered, and has failed after five tries", async (t) => {
    await using world = await clusterWorld(t);
    await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1"));
    await world.settle();
    const notYet = "Remote connection not established yet";
    expect((await told(world, "RemoteConnectionProbe")).slice(1)).toEqual(["False", "ProbeFailed", notYet]);
    const rows = world.passes("Cluster", "c1").flatMap(({ verdicts }) => verdicts);
    const probes = rows.filter(({ type }) => type === "RemoteConnectionProbe").map(({ row }) => row);
    expect(probes[0]).toBe("never-connected");
    expect(probes.at(-1)).toBe("never-connected-keep");

    // Whoever has never answered is told of once, so that the next look at all Clusters finds it out.
    await world.advance(minutes(11));
    const failed = "Remote connection probe failed";
    expect(await told(world, "RemoteConnectionProbe")).toEqual(["never-succeeded", "False", "ProbeFailed", failed]);
  });
});

describe("the kubeconfig of a Cluster without a control plane object", () => {
  test("is made from its authority, and opens its API server", async (t) => {
    await using world = await clusterWorld(t, {}, { startsAt: systemClock.now() });
    const { endpoint } = await world.workload("c1", { secret: "ca" });
    await world.apply(aCluster("c1", { controlPlaneRef: null }));
    await world.apply(anInfrastructure("c1", { spec: { controlPlaneEndpoint: endpoint } }));
    await world.settle();
    await world.advance(seconds(30));
    expect(await told(world, "RemoteConnectionProbe")).toEqual(["connected", "True", "ProbeSucceeded", ""]);

    const { uid } = (await world.get(Cluster, "c1")).metadata;
    const secret = await world.get("Secret", "c1-kubeconfig");
    expect(secret).toMatchObject({
      type: "cluster.x-k8s.io/secret",
      metadata: {
        labels: { "cluster.x-k8s.io/cluster-name": "c1" },
        ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "c1", uid }],
      },
    });
    // It is made once, and whoever changes it has the last word.
    expect(world.writes("Secret", "c1-kubeconfig")).toEqual([{ kind: "created" }]);
  });

  test("waits for the authority, also for one with an RSA key", async (t) => {
    await using world = await clusterWorld(t);
    await world.apply(aCluster("c1", { controlPlaneRef: null }), anInfrastructure("c1"));
    await world.settle();
    expect(await world.find("Secret", "c1-kubeconfig")).toBeUndefined();
    expect(world.passes("Cluster", "c1").at(-1)?.next).toMatchObject({ kind: "requeue", after: seconds(30) });

    await putAuthority(world, rsaAuthority(world));
    await world.advance(seconds(30));
    expect(await kubeconfigOf(world)).toContain("server: https://cluster.test:6443\n");
  });

  test("is not made from what is no authority, and the error names the Secret", async (t) => {
    await using world = await clusterWorld(t);
    await putAuthority(world, { "tls.crt": "not", "tls.key": "PEM" });
    await world.apply(aCluster("c1", { controlPlaneRef: null }), anInfrastructure("c1"));
    await world.settle();
    const { errors, next } = world.passes("Cluster", "c1").at(-1) ?? {};
    expect(next?.kind).toBe("retry");
    expect(errors?.map(({ message }) => message)).toEqual(["Secret c1-ca cannot be used"]);
    expect(await world.find("Secret", "c1-kubeconfig")).toBeUndefined();
  });
});

function rsaAuthority({ clock }: World): Readonly<Record<string, string>> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const subject = { commonName: "kubernetes" };
  const now = clock.instant();
  const certificate = issueCertificate(
    { subject, publicKey, purpose: { kind: "authority" }, notBefore: now, notAfter: now + minutes(60) },
    { subject, publicKey, privateKey },
  );
  // As kubeadm and Cluster API write it.
  return { "tls.crt": certificate, "tls.key": privateKey.export({ type: "pkcs1", format: "pem" }).toString() };
}

async function putAuthority(world: World, data: Readonly<Record<string, string>>): Promise<void> {
  const encoded = Object.entries(data).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  const labels = { "cluster.x-k8s.io/cluster-name": "c1" };
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "c1-ca", labels },
    type: "cluster.x-k8s.io/secret",
    data: Object.fromEntries(encoded),
  };
  await world.apply(secret);
}

async function kubeconfigOf(world: World): Promise<string> {
  const value = fieldAt(await world.get("Secret", "c1-kubeconfig"), "data", "value");
  return Buffer.from(String(value), "base64").toString("utf8");
}
