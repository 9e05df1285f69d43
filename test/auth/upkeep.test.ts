import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openLmdbStore } from "#apiserver";
import { fieldAt, isNotFound, type KubeObject } from "#machinery";
import { ask, tokenOf } from "./asking.ts";
import { issuer, openSecuredServer, type SecuredServer } from "./secured-server.ts";

const rbac = "rbac.authorization.k8s.io";
const namespaces = { group: "", version: "v1", resource: "namespaces" };
const accounts = { group: "", version: "v1", resource: "serviceaccounts" };
const configMaps = { group: "", version: "v1", resource: "configmaps" };
const clusterRoles = { group: rbac, version: "v1", resource: "clusterroles" };
const clusterRoleBindings = { group: rbac, version: "v1", resource: "clusterrolebindings" };

let plane: SecuredServer;
beforeEach(async () => {
  plane = await openSecuredServer();
  await plane.server.settle();
});
afterEach(() => plane.close());

const transport = () => plane.server.transport();
const namespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
const clusterRole = (name: string, more: object): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRole",
  metadata: { name },
  ...more,
});

describe("every namespace", () => {
  const account = { namespace: "n", name: "default" };
  const root = { namespace: "n", name: "kube-root-ca.crt" };

  test("has a default ServiceAccount and the certificate of the authority", async () => {
    await transport().create(namespaces, namespace("n"));
    await plane.server.settle();
    for (const each of ["n", "default", "kube-system"]) {
      await transport().get(accounts, { namespace: each, name: "default" });
      expect(await transport().get(configMaps, { namespace: each, name: "kube-root-ca.crt" })).toMatchObject({
        metadata: { annotations: { "kubernetes.io/description": expect.stringContaining("Contains a CA bundle") } },
        data: { "ca.crt": "no certificate" },
      });
    }
  });

  test("gets them back when they are deleted or changed", async () => {
    await transport().create(namespaces, namespace("n"));
    await plane.server.settle();
    const first = await transport().get(accounts, account);
    await transport().delete(accounts, account);
    await transport().patch(configMaps, root, { kind: "merge", patch: { data: { "ca.crt": "mine" } } });
    await plane.server.settle();
    expect((await transport().get(accounts, account)).metadata.uid).not.toBe(first.metadata.uid);
    expect(await transport().get(configMaps, root)).toMatchObject({ data: { "ca.crt": "no certificate" } });
    await transport().delete(configMaps, root);
    await plane.server.settle();
    expect(await transport().get(configMaps, root)).toMatchObject({ data: { "ca.crt": "no certificate" } });
  });

  test("gets another certificate when the authority has one", async () => {
    plane.security.publishAuthority("another certificate");
    await plane.server.settle();
    const found = await transport().get(configMaps, { namespace: "default", name: "kube-root-ca.crt" });
    expect(found).toMatchObject({ data: { "ca.crt": "another certificate" } });
  });

  test("can be deleted all the same", async () => {
    await transport().create(namespaces, namespace("n"));
    await plane.server.settle();
    await transport().delete(namespaces, { name: "n" });
    await plane.server.settle();
    const gone = await transport()
      .get(namespaces, { name: "n" })
      .catch((error: unknown) => error);
    expect(isNotFound(gone)).toBe(true);
  });
});

describe("a ClusterRole that is made of others", () => {
  const pods = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
  const nodes = { apiGroups: [""], resources: ["nodes"], verbs: ["get"] };
  const part = (name: string, ...rules: readonly object[]): KubeObject => ({
    ...clusterRole(name, { rules }),
    metadata: { name, labels: { part: "yes" } },
  });
  const rulesNow = async () => fieldAt(await transport().get(clusterRoles, { name: "whole" }), "rules");

  test("has the rules of those, as they come, change and go", async () => {
    await transport().create(
      clusterRoles,
      clusterRole("whole", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: "yes" } }] } }),
    );
    await transport().create(clusterRoles, part("b", nodes));
    await transport().create(clusterRoles, part("a", pods));
    await plane.server.settle();
    expect(await rulesNow()).toEqual([pods, nodes]);
    await transport().patch(clusterRoles, { name: "b" }, { kind: "merge", patch: { rules: [pods] } });
    await plane.server.settle();
    expect(await rulesNow()).toEqual([pods]);
    await transport().delete(clusterRoles, { name: "a" });
    await transport().delete(clusterRoles, { name: "b" });
    await plane.server.settle();
    expect(await rulesNow()).toEqual([]);
  });

  test("view, edit and admin are such roles", async () => {
    for (const [name, least] of [
      ["view", 10],
      ["edit", 20],
      ["admin", 20],
    ] as const) {
      const rules = fieldAt(await transport().get(clusterRoles, { name }), "rules");
      expect(Array.isArray(rules) && rules.length).toBeGreaterThan(least);
    }
  });
});

describe("the first roles and bindings", () => {
  const bootstrapped = async (work: (first: SecuredServer) => Promise<unknown>) => {
    const directory = mkdtempSync(join(tmpdir(), "capstan-roles-"));
    const first = await openSecuredServer(await openLmdbStore({ directory }));
    await first.server.settle();
    await work(first);
    const before = (await first.server.transport().list(clusterRoles)).metadata.resourceVersion;
    await first.close();
    const second = await openSecuredServer(await openLmdbStore({ directory }));
    await second.server.settle();
    const after = second.server.transport();
    const revision = (await after.list(clusterRoles)).metadata.resourceVersion;
    const close = async () => {
      await second.close();
      rmSync(directory, { recursive: true });
    };
    return { after, changed: revision !== before, close };
  };

  test("are left alone by a second start", async () => {
    const { changed, close } = await bootstrapped(async () => {});
    expect(changed).toBe(false);
    await close();
  });

  test("come back, with all that they allow, and keep what was added", async () => {
    const extra = { apiGroups: ["x"], resources: ["y"], verbs: ["z"] };
    const { after, close } = await bootstrapped(async ({ server }) => {
      const before = server.transport();
      await before.delete(clusterRoles, { name: "cluster-admin" });
      await before.patch(clusterRoles, { name: "system:discovery" }, { kind: "merge", patch: { rules: [extra] } });
      const subjects = [{ kind: "User", apiGroup: rbac, name: "joe" }];
      await before.patch(clusterRoleBindings, { name: "cluster-admin" }, { kind: "merge", patch: { subjects } });
    });
    await after.get(clusterRoles, { name: "cluster-admin" });
    const discovery = fieldAt(await after.get(clusterRoles, { name: "system:discovery" }), "rules");
    expect(discovery).toContainEqual(extra);
    expect(discovery).toContainEqual({ verbs: ["get"], nonResourceURLs: ["/api"] });
    const bound = await after.get(clusterRoleBindings, { name: "cluster-admin" });
    expect(bound).toMatchObject({ subjects: [{ name: "joe" }, { name: "system:masters" }] });
    await close();
  });

  test("stay as they are where they are marked so", async () => {
    const { after, changed, close } = await bootstrapped(({ server }) =>
      server.transport().patch(
        clusterRoles,
        { name: "system:discovery" },
        {
          kind: "merge",
          patch: { rules: [], metadata: { annotations: { "rbac.authorization.kubernetes.io/autoupdate": "false" } } },
        },
      ),
    );
    expect(changed).toBe(false);
    expect(fieldAt(await after.get(clusterRoles, { name: "system:discovery" }), "rules")).toBeNull();
    await close();
  });
});

test("nobody in particular reaches health and version, and nothing else", async () => {
  const may = (path: string) => ask(plane, { method: "GET", path, headers: {} });
  for (const path of ["/healthz", "/livez", "/readyz", "/version"]) expect((await may(path)).code).toBe(404);
  for (const path of ["/api", "/metrics", "/api/v1/namespaces"]) expect((await may(path)).code).toBe(403);
});

test("a token counts no longer than its account", async () => {
  const token = await tokenOf(plane, "default", "default");
  const headers = { authorization: `Bearer ${token}` };
  expect(await plane.security.authenticate({ headers })).toMatchObject({
    name: "system:serviceaccount:default:default",
  });
  await transport().delete(accounts, { namespace: "default", name: "default" });
  await expect(plane.security.authenticate({ headers })).rejects.toThrow("Unauthorized");
});

test("others find out how to check tokens", async () => {
  expect(await plane.security.issuerDocuments()).toMatchObject({
    "/.well-known/openid-configuration": { issuer, jwks_uri: `${issuer}openid/v1/jwks` },
    "/openid/v1/jwks": { keys: [{ kty: "EC", alg: "ES256", use: "sig" }] },
  });
});
