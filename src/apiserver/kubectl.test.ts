import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isJsonObject, parseYaml } from "#machinery";
import { type DrivenServer, driveServer, installedKubectls, knownKubectls } from "./test-kubectl.ts";

const found = installedKubectls(process.env);

let server: DrivenServer;

test.each(knownKubectls(process.env))("the $name is here, or it is said loudly that it is not", ({ name, absent }) => {
  if (found.some((program) => program.name === name)) return;
  const advice = absent === undefined ? "" : ` (${absent})`;
  process.stderr.write(`\n!!! There is no ${name}${advice}: the tests that drive it DID NOT RUN !!!\n\n`);
});

describe.each(found)("$name", (program) => {
  beforeAll(async () => {
    server = await driveServer(program, process.env);
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  test("a definition is applied, established, listed, explained and served", async () => {
    expect(await kubectl("apply", "-f", file("crd", definition))).toContain("widgets.ex.io created");
    expect(await kubectl("wait", "--for=condition=Established", "crd/widgets.ex.io")).toContain("condition met");
    expect(await kubectl("api-resources", "--api-group=ex.io")).toMatch(/widgets +wd +ex.io\/v1 +true +Widget/);
    expect((await kubectl("api-versions")).split("\n")).toContain("ex.io/v1");
    expect(await kubectl("explain", "widgets", "--recursive")).toMatch(/spec\t<Object>[\s\S]*size\t<integer>/);
    expect(await kubectl("explain", "widgets.spec.size")).toContain("How large it is");
    expect(await kubectl("explain", "pod.spec.containers.image")).toContain("FIELD: image <string>");
  });

  test("a custom resource goes through every kind of write", async () => {
    const manifest = (size: number) => file("widget", { ...widget, spec: { size, replicas: 1 } });
    expect(await kubectl("apply", "-f", manifest(1))).toBe("widget.ex.io/w1 created\n");
    expect(await kubectl("diff", "-f", manifest(2))).toContain("+  size: 2");
    expect(await kubectl("apply", "-f", manifest(2))).toBe("widget.ex.io/w1 configured\n");
    expect(await kubectl("apply", "-f", manifest(2))).toBe("widget.ex.io/w1 unchanged\n");
    const serverSide = ["apply", "--server-side", "--force-conflicts", "-f"];
    expect(await kubectl(...serverSide, manifest(3))).toContain("serverside-applied");
    expect(await kubectl("patch", "wd", "w1", "--type=merge", "-p", '{"spec":{"size":4}}')).toContain("patched");
    const operations = '[{"op":"replace","path":"/spec/size","value":5}]';
    expect(await kubectl("patch", "wd", "w1", "--type=json", "-p", operations)).toContain("patched");
    expect(await kubectl("get", "wd", "w1")).toMatch(/NAME +SIZE +AGE\nw1 +5 +\d+s/);
    expect(await kubectl("scale", "wd", "w1", "--replicas=4")).toContain("scaled");
    expect(await kubectl("get", "wd", "w1", "-o", "jsonpath={.spec.replicas}")).toBe("4");
    expect(await kubectl("replace", "-f", manifest(6))).toContain("replaced");
    expect(await kubectl("describe", "wd", "w1")).toMatch(/Name: +w1\nNamespace: +default/);
    expect(await kubectl("label", "wd", "w1", "a=b")).toContain("labeled");
    expect(await kubectl("annotate", "wd", "w1", "a=b")).toContain("annotated");
    expect(await kubectl("delete", "wd", "w1")).toContain("deleted");
  });

  test("what a client does not know is refused strictly", async () => {
    const body = { ...widget, metadata: { name: "w2" }, spec: { size: 1, nope: 1 } };
    await expect(kubectl("create", "-f", file("strict", body))).rejects.toThrow(
      'strict decoding error: unknown field "spec.nope"',
    );
  });

  test("built-in kinds are created, changed and shown", async () => {
    await kubectl("create", "namespace", "n1");
    await kubectl("-n", "n1", "create", "configmap", "c1", "--from-literal=a=b");
    await kubectl("-n", "n1", "create", "secret", "generic", "s1", "--from-literal=p=q");
    await kubectl("-n", "n1", "create", "serviceaccount", "sa1");
    await kubectl("-n", "n1", "create", "role", "r1", "--verb=get", "--resource=pods");
    expect(await kubectl("-n", "n1", "apply", "-f", file("lease", lease))).toContain("created");
    const all = await kubectl("-n", "n1", "get", "cm,secret,sa,role,lease", "-o", "name");
    expect(all.split("\n")).toEqual(expect.arrayContaining(["configmap/c1", "secret/s1", "serviceaccount/sa1"]));
    expect(await kubectl("-n", "n1", "patch", "cm", "c1", "-p", '{"data":{"x":"y"}}')).toContain("patched");
    expect(await kubectl("-n", "n1", "edit", "cm", "c1")).toContain("edited");
    expect(await kubectl("-n", "n1", "get", "cm", "c1", "-o", "jsonpath={.data}")).toBe('{"a":"edited","x":"y"}');
    await kubectl("-n", "n1", "create", "-f", file("event", event));
    expect(await kubectl("-n", "n1", "events")).toMatch(/Normal +Tried +ConfigMap\/c1 +it was tried/);
    expect(await kubectl("delete", "namespace", "n1")).toContain("deleted");
    await expect(kubectl("get", "namespace", "n1")).rejects.toThrow('namespaces "n1" not found');
  });

  test("dependents go, stay, or hold their owner back, as a delete says", async () => {
    const owned = async (name: string) => {
      await kubectl("create", "configmap", name);
      const uid = await kubectl("get", "cm", name, "-o", "jsonpath={.metadata.uid}");
      const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid, blockOwnerDeletion: true }];
      const dependent = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `${name}-child`, ownerReferences } };
      await kubectl("create", "-f", file(name, dependent));
    };
    await owned("foreground");
    await kubectl("delete", "cm", "foreground", "--cascade=foreground");
    await expect(kubectl("get", "cm", "foreground-child")).rejects.toThrow("not found");
    await owned("orphan");
    await kubectl("delete", "cm", "orphan", "--cascade=orphan");
    expect(await kubectl("get", "cm", "orphan-child", "-o", "jsonpath={.metadata.ownerReferences}")).toBe("");
  });

  test("who one is and what one may is told, and tokens are given out", async () => {
    expect(await kubectl("auth", "can-i", "delete", "nodes")).toBe("yes\n");
    expect(await kubectl("auth", "whoami", "-o", "jsonpath={.status.userInfo.groups[0]}")).toBe("system:masters");
    await kubectl("create", "serviceaccount", "robot");
    const token = (await kubectl("create", "token", "robot")).trim();
    const asRobot = ["--kubeconfig", file("robot", tokenKubeconfig(token))];
    expect(await kubectl(...asRobot, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")).toBe(
      "system:serviceaccount:default:robot",
    );
    await expect(kubectl(...asRobot, "get", "secrets")).rejects.toThrow(
      'secrets is forbidden: User "system:serviceaccount:default:robot" cannot list resource "secrets" in API group "" in the namespace "default"',
    );
    await kubectl("create", "rolebinding", "robot", "--clusterrole=view", "--serviceaccount=default:robot");
    expect(await kubectl(...asRobot, "auth", "can-i", "list", "configmaps")).toBe("yes\n");
  });

  test("a watch shows what happens", async () => {
    const watch = server.start("get", "cm", "-w", "-o", "name");
    let text = "";
    const seen = new Promise<void>((resolve) => {
      watch.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("configmap/watched")) resolve();
      });
    });
    await kubectl("create", "configmap", "watched");
    await seen;
    watch.kill();
    expect(text).toContain("configmap/watched");
  });
});

function kubectl(...parameters: readonly string[]): Promise<string> {
  return server.kubectl(...parameters);
}

function file(name: string, content: object): string {
  return server.file(name, content);
}

/** The administrator's kubeconfig with a token instead of the certificate. */
function tokenKubeconfig(token: string): object {
  const config = parseYaml(readFileSync(server.kubeconfig, "utf8"));
  if (!isJsonObject(config)) throw new Error("the kubeconfig is no object");
  return { ...config, users: [{ name: "capstan", user: { token } }] };
}

const widget = { apiVersion: "ex.io/v1", kind: "Widget", metadata: { name: "w1" } };
const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l1" }, spec: {} };

const event = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e1", namespace: "n1" },
  involvedObject: { apiVersion: "v1", kind: "ConfigMap", name: "c1", namespace: "n1" },
  reason: "Tried",
  message: "it was tried",
  type: "Normal",
};

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.ex.io" },
  spec: {
    group: "ex.io",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer", description: "How large it is" },
                  replicas: { type: "integer" },
                },
              },
              status: { type: "object", properties: { replicas: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};
