import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DrivenServer, driveServer, installedKubectls } from "./test-kubectl.ts";

const found = installedKubectls(process.env);

let server: DrivenServer;
let manifests = 0;

test("a kubectl is here, or it is said loudly that none is", () => {
  if (found.length > 0) return;
  process.stderr.write("\n!!! There is no kubectl: the tests of kubectl apply DID NOT RUN !!!\n\n");
});

describe.each(found)("server-side apply with $name", (program) => {
  beforeAll(async () => {
    server = await driveServer(program, process.env);
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  test("a second manager is told every field that conflicts, and whose it is", async () => {
    const name = "conflicts";
    expect(await apply(manifest(name, { x: "1", y: "1" }, "a"))).toBe(`configmap/${name} serverside-applied\n`);
    const other = manifest(name, { x: "2", y: "2" }, "b");
    await expect(apply(other, "--field-manager=second")).rejects.toThrow(
      `error: Apply failed with 3 conflicts: conflicts with "kubectl":\n- .data.x\n- .data.y\n- .metadata.labels.team\n${advice}`,
    );
    const one = manifest(name, { x: "2" });
    await expect(apply(one, "--field-manager=second")).rejects.toThrow(
      `error: Apply failed with 1 conflict: conflict with "kubectl": .data.x\n${advice}`,
    );
    expect(await dataOf(name)).toBe('{"x":"1","y":"1"}');
    expect(await managersOf(name)).toEqual(["kubectl Apply"]);
  });

  test("conflicts with several managers are told one after the other, updates with their version", async () => {
    const name = "several";
    await apply(manifest(name, { x: "1" }), "--field-manager=first");
    await kubectl("patch", "cm", name, "--type=merge", "-p", '{"data":{"y":"1"}}');
    await expect(apply(manifest(name, { x: "2", y: "2" }), "--field-manager=second")).rejects.toThrow(
      'error: Apply failed with 2 conflicts: conflicts with "first":\n- .data.x\nconflicts with "kubectl-patch" using v1:\n- .data.y\n',
    );
  });

  test("with force the fields change hands, and the first manager conflicts in its turn", async () => {
    const name = "forced";
    const first = manifest(name, { x: "1", y: "1" }, "a");
    await apply(first);
    await apply(manifest(name, { x: "2" }, "b"), "--field-manager=second", "--force-conflicts");
    expect(await dataOf(name)).toBe('{"x":"2","y":"1"}');
    expect(await managersOf(name)).toEqual(["kubectl Apply", "second Apply"]);
    await expect(apply(first)).rejects.toThrow(
      'Apply failed with 2 conflicts: conflicts with "second":\n- .data.x\n- .metadata.labels.team\n',
    );
  });

  test("who agrees with another manager owns a field together with it, until one lets go", async () => {
    const name = "shared";
    await apply(manifest(name, { x: "1", y: "1" }));
    await apply(manifest(name, { x: "1" }), "--field-manager=second");
    await apply(manifest(name, { y: "1" }));
    expect(await dataOf(name)).toBe('{"x":"1","y":"1"}');
    await apply(manifest(name, {}), "--field-manager=second");
    expect(await dataOf(name)).toBe('{"y":"1"}');
  });

  test("an apply that changes nothing writes nothing", async () => {
    const name = "same";
    await apply(manifest(name, { x: "1" }));
    const version = await versionOf(name);
    await apply(manifest(name, { x: "1" }));
    expect(await versionOf(name)).toBe(version);
  });

  test("what was last applied by a client is shown as it was, whoever else writes; what never was is not", async () => {
    const name = "viewed";
    await kubectl("apply", "-f", manifest(name, { x: "1" }));
    const before = await lastApplied(name);
    expect(JSON.parse(before)).toMatchObject({ kind: "ConfigMap", data: { x: "1" } });
    await kubectl("patch", "cm", name, "--type=merge", "-p", '{"data":{"x":"2","y":"2"}}');
    expect(await lastApplied(name)).toBe(before);
    await apply(manifest("never-by-a-client", { x: "1" }));
    expect(await lastApplied("never-by-a-client")).toBe("");
  });

  test("another manager takes over what a client applied, with what it no longer wants", async () => {
    const name = "taken-over";
    await kubectl("apply", "-f", manifest(name, { x: "1" }));
    await apply(manifest(name, { y: "2" }), "--field-manager=second");
    expect(await dataOf(name)).toBe('{"y":"2"}');
    expect(await managersOf(name)).toEqual(["second Apply"]);
    expect(await lastApplied(name)).toBe("");
  });

  test("an object that a client applied goes over to the server, without conflicts and for good", async () => {
    const name = "migrated";
    await kubectl("apply", "-f", manifest(name, { x: "1", y: "1" }, "a"));
    expect(await managersOf(name)).toEqual(["kubectl-client-side-apply Update"]);
    await apply(manifest(name, { x: "7", y: "1" }, "a"));
    expect(await managersOf(name)).toEqual(["kubectl-last-applied Apply", "kubectl Apply"]);
    expect(JSON.parse(await lastApplied(name))).toMatchObject({ data: { x: "7", y: "1" } });
    await apply(manifest(name, { x: "7" }, "a"));
    expect(await dataOf(name)).toBe('{"x":"7"}');
  });

  test("an object that the server keeps can still be applied by a client", async () => {
    const name = "back";
    await kubectl("apply", "-f", manifest(name, { x: "1", y: "1" }));
    await apply(manifest(name, { x: "7", y: "1" }));
    expect(await kubectl("apply", "-f", manifest(name, { x: "1" }))).toBe(`configmap/${name} configured\n`);
    expect(await dataOf(name)).toBe('{"x":"1"}');
  });
});

/** What kubectl adds to every conflict. */
const advice = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.`;

function manifest(name: string, data: Readonly<Record<string, string>>, team?: string): string {
  const metadata = { name, namespace: "default", ...(team === undefined ? {} : { labels: { team } }) };
  return server.file(`${name}-${(manifests += 1)}`, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
}

function apply(file: string, ...more: readonly string[]): Promise<string> {
  return kubectl("apply", "--server-side", "-f", file, ...more);
}

function kubectl(...parameters: readonly string[]): Promise<string> {
  return server.kubectl(...parameters);
}

function dataOf(name: string): Promise<string> {
  return kubectl("get", "cm", name, "-o", "jsonpath={.data}");
}

function versionOf(name: string): Promise<string> {
  return kubectl("get", "cm", name, "-o", "jsonpath={.metadata.resourceVersion}");
}

function lastApplied(name: string): Promise<string> {
  return kubectl("apply", "view-last-applied", "cm", name, "-o", "json");
}

async function managersOf(name: string): Promise<readonly string[]> {
  const path = '{range .metadata.managedFields[*]}{.manager} {.operation}{"\\n"}{end}';
  const lines = await kubectl("get", "cm", name, "--show-managed-fields", "-o", `jsonpath=${path}`);
  return lines.trim().split("\n");
}
