import { forbiddenRequest, type KubeObject } from "#machinery";
import type { AdmissionPlugin, AdmissionRequest } from "#apiserver/admission";
import { openMemoryStore } from "#apiserver/store";
import { expect, test } from "vitest";
import { openTestServer } from "./test-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };

test("plugins that change come before plugins that refuse, each in its order", async () => {
  const asked: string[] = [];
  const plugin = (name: string): AdmissionPlugin => ({
    ...about("configmaps"),
    name,
    mutate(object) {
      asked.push(`${name} changes`);
      return object;
    },
    validate() {
      asked.push(`${name} judges`);
    },
  });
  await withServer([plugin("one"), plugin("two")], async ({ transport }) => {
    await transport.create(configMaps, configMap("a"));
    expect(asked).toEqual(["one changes", "two changes", "one judges", "two judges"]);
  });
});

test("a plugin is shown who asks for what: old object, new object, dry run", async () => {
  const requests: AdmissionRequest[] = [];
  const witness: AdmissionPlugin = {
    ...about("configmaps"),
    name: "witness",
    validate: (request) => void requests.push(request),
  };
  await withServer([witness], async ({ server }) => {
    const transport = server.transport({ name: "ann", groups: ["staff"] });
    const created = await transport.create(configMaps, configMap("a"), { dryRun: true });
    const stored = await transport.create(configMaps, configMap("a"));
    const updated = await transport.update(configMaps, { ...stored, data: { b: "c" } });
    await transport.delete(configMaps, { namespace: "default", name: "a" });
    expect(
      requests.map(({ operation, dryRun, object, oldObject }) => ({ operation, dryRun, object, oldObject })),
    ).toMatchObject([
      { operation: "CREATE", dryRun: true, object: { metadata: { uid: created.metadata.uid } }, oldObject: undefined },
      { operation: "CREATE", dryRun: false, object: { metadata: { name: "a" } }, oldObject: undefined },
      { operation: "UPDATE", dryRun: false, object: { data: { b: "c" } }, oldObject: stored },
      { operation: "DELETE", dryRun: false, object: undefined, oldObject: updated },
    ]);
    expect(requests[0]).toMatchObject({
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: configMaps,
      subresource: "",
      namespace: "default",
      name: "a",
      caller: { name: "ann", groups: ["staff"] },
    });
  });
});

test("what a plugin adds is pruned, and owned by nobody", async () => {
  const adder: AdmissionPlugin = {
    ...about("configmaps"),
    name: "adder",
    mutate: (object) => ({ ...object, data: { added: "yes" }, unheardOf: 1 }),
  };
  await withServer([adder], async ({ transport }) => {
    const created = await transport.create(configMaps, configMap("a"), { fieldManager: "me" });
    expect(created).toMatchObject({ data: { added: "yes" } });
    expect(created).not.toHaveProperty("unheardOf");
    expect(JSON.stringify(created.metadata.managedFields ?? [])).not.toContain("added");
  });
});

test("a plugin refuses in its own words, and nothing is written", async () => {
  const guard: AdmissionPlugin = {
    ...about("configmaps"),
    name: "guard",
    validate({ resource, name }, { warn }) {
      warn("think twice");
      throw forbiddenRequest(resource, name, "not today");
    },
  };
  await withServer([guard], async ({ transport }) => {
    const heard: string[] = [];
    const call = transport.create(configMaps, configMap("a"), { onWarning: (text) => heard.push(text) });
    await expect(call).rejects.toMatchObject({
      status: { code: 403, reason: "Forbidden", message: 'configmaps "a" is forbidden: not today' },
    });
    expect(heard).toEqual(["think twice"]);
    expect((await transport.list(configMaps, { namespace: "default" })).items).toEqual([]);
  });
});

test("what a plugin makes invalid is refused", async () => {
  const breaker: AdmissionPlugin = {
    ...about("configmaps"),
    name: "breaker",
    mutate: (object) => ({ ...object, data: { "not a key": "x" } }),
  };
  await withServer([breaker], async ({ transport }) => {
    await expect(transport.create(configMaps, configMap("a"))).rejects.toMatchObject({ status: { code: 422 } });
  });
});

test("a namespace that goes while a plugin thinks takes no new objects", async () => {
  const namespaces = { group: "", version: "v1", resource: "namespaces" };
  let think: () => Promise<void> = () => Promise.resolve();
  const thinker: AdmissionPlugin = { ...about("configmaps"), name: "thinker", validate: () => think() };
  await withServer([thinker], async ({ server, transport }) => {
    await transport.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "brief" } });
    think = async () => {
      await transport.delete(namespaces, { name: "brief" });
      await server.settle();
    };
    const call = transport.create(configMaps, { ...configMap("a"), metadata: { namespace: "brief", name: "a" } });
    await expect(call).rejects.toMatchObject({ status: { code: 404, message: 'namespaces "brief" not found' } });
  });
});

function about(resource: string): Pick<AdmissionPlugin, "handles"> {
  return { handles: (request) => request.resource.resource === resource };
}

function configMap(name: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } };
}

async function withServer(
  plugins: readonly AdmissionPlugin[],
  run: (server: Awaited<ReturnType<typeof openTestServer>>) => Promise<void>,
): Promise<void> {
  const server = await openTestServer(openMemoryStore(), { plugins });
  await run(server);
  await server.close();
}
