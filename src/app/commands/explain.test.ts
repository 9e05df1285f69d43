import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runMain } from "../main.ts";

const examples = join(import.meta.dirname, "../../../examples/explain");

async function capstan(...args: readonly string[]) {
  let [out, err] = ["", ""];
  const terminal = { write: (text: string) => (out += text), writeError: (text: string) => (err += text) };
  const code = await runMain(args, { terminal });
  return { code, out, err };
}

function dump(name: string): readonly string[] {
  return ["-f", join(examples, `${name}.yaml`)];
}

describe("explain of a dump", () => {
  test("names the row, what decided on the way, and every row above", async () => {
    const { code, out } = await capstan("explain", "machine/worker", ...dump("node-ready/not-ready"));
    expect(code).toBe(0);
    expect(out.split("\n").slice(0, 4)).toEqual([
      "Machine default/worker Available: False NotReady  [row not-ready]",
      "│  on the object: nothing; nobody has reported it yet",
      "└─ Ready: False NotReady  [row not-ready]",
      "   │  on the object: nothing; nobody has reported it yet",
    ]);
    expect(out).toContain("NodeHealthy: False NodeNotHealthy  [row unhealthy]");
    expect(out).toContain("    7  disconnected-keep           no     workload cluster is not connected");
    expect(out).toContain("       and 7 rows below that would not hold either");
  });

  test("ends with the answer in short", async () => {
    const last = ({ out }: { readonly out: string }, lines: number) => out.trimEnd().split("\n").slice(-lines);
    const bad = dump("node-ready/not-ready");
    expect(last(await capstan("explain", "machine/worker", ...bad), 3)).toEqual([
      "in short: Available of Machine default/worker is False, because",
      "  InfrastructureReady is False: DevMachine does not exist (looked for DevMachine default/worker, as spec.infrastructureRef.name says: there is none)",
      "  NodeHealthy is False: Node.Ready: container runtime is down, and 3 more",
    ]);
    expect(last(await capstan("explain", "machine/worker", "NodeReady", ...bad), 1)).toEqual([
      "in short: NodeReady of Machine default/worker is False: Node.Ready: container runtime is down",
    ]);
    const well = await capstan("explain", "machine/worker", "NodeReady", ...dump("node-ready/ready"));
    expect(well.out).not.toContain("in short");
  });

  test("goes on into the Cluster where that keeps the Node from being seen", async () => {
    const { out } = await capstan("explain", "machine/worker", "NodeReady", ...dump("node-ready/connection-lost"));
    expect(out).toMatch(
      /^└─ Cluster default\/quickstart RemoteConnectionProbe: False ProbeFailed {2}\[row connection-lost\]$/m,
    );
  });

  test("shows the table of the row that decided, also where its cause is in another object", async () => {
    const { out } = await capstan("explain", "machine/worker", ...dump("node-ready/connection-lost"));
    const table = /^Machine\.NodeHealthy: Unknown, ConnectionDown.*?^next/ms.exec(out)?.[0];
    expect(table).toContain("->  5  connection-lost");
    expect(table).toContain('saw       {"lastSuccess":"2025-01-15T11:50:00Z","gracePeriod":"5m0s"}');
    const probe = await capstan("explain", "cluster/quickstart", ...dump("node-ready/connection-lost"));
    expect(probe.out).toContain('saw       {"lastSuccess":"2025-01-15T11:50:00Z","gracePeriod":"50s"}');
  });

  test("puts what is not an issue below what it belongs to", async () => {
    const { out } = await capstan("explain", "machine/worker", ...dump("node-ready/not-ready"));
    expect(out).toContain(
      "\n   │  not an issue: Deleting, Updating, BootstrapConfigReady\n   ├─ InfrastructureReady: False ",
    );
  });

  test("marks the conditions that count, and leaves out facts that are empty", async () => {
    const { out } = await capstan("explain", "cluster/quickstart", ...dump("node-ready/connection-lost"));
    expect(out).toMatch(/^all conditions \(\* counts for Available\)$/m);
    expect(out).toMatch(/^\* RemoteConnectionProbe {9}False {3}ProbeFailed {5}row connection-lost$/m);
    expect(out).toMatch(/^ {2}WorkerMachinesReady {11}Unknown ReadyUnknown {4}row unknown$/m);
    const machine = await capstan("explain", "machine/worker", ...dump("node-ready/ready"));
    expect(machine.out).toMatch(/^\* NodeHealthy /m);
    expect(machine.out).toMatch(/^ {2}NodeReady /m);
    const well = await capstan("explain", "cluster/quickstart", "WorkerMachinesUpToDate", ...dump("node-ready/ready"));
    expect(well.out).toMatch(/^all conditions$/m);
    expect(`${out}${machine.out}`).not.toContain('saw       {"message":');
  });

  test("says at the top and in the end that all is as last known while the cluster does not answer", async () => {
    const { out } = await capstan("explain", "machine/worker", "NodeReady", ...dump("node-ready/disconnected-keep"));
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toBe("Cluster default/quickstart does not answer (last reached at 2025-01-15T11:59:00Z), because");
    expect(lines).toContain(
      "Machines say what was last known of their Nodes: NodeReady and NodeHealthy become Unknown at 2025-01-15T12:04:00Z unless the cluster answers",
    );
    expect(lines.at(-1)).toMatch(
      /^in short: NodeReady of Machine default\/worker is True as last known: Cluster default\/quickstart does not answer \(last reached at 2025-01-15T11:59:00Z\), because .*; NodeReady and NodeHealthy become Unknown at 2025-01-15T12:04:00Z unless the cluster answers$/,
    );
    const bootstrap = await capstan(
      "explain",
      "machine/worker",
      "BootstrapConfigReady",
      ...dump("node-ready/disconnected-keep"),
    );
    expect(bootstrap.out).not.toContain("does not answer");
  });

  test("names what a dump does not hold, and takes it from flags", async () => {
    const asked = ["explain", "machine/m", "NodeReady", "-f", join(import.meta.dirname, "test-dump.yaml")];
    const untold = await capstan(...asked);
    expect(untold.out).toContain("[cannot be told without connection.lastProbeSuccess, node]");
    expect(untold.out).toContain("not known: connection.lastProbeSuccess of Machine default/m");
    expect(untold.out).toContain("judged as of 2025-01-15T12:00:00Z, the newest time in the dump");

    const told = await capstan(...asked, "--last-probe-success", "2025-01-15T12:00:00Z", "--connected");
    expect(told.out.split("\n")[0]).toBe("Machine default/m NodeReady: False Deleted  [row deleted-under-machine]");
    const silent = await capstan(...asked, "--last-probe-success", "2025-01-15T11:00:00Z", "--no-connected");
    expect(silent.out.split("\n")).toContain(
      "Machine default/m NodeReady: Unknown ConnectionDown  [row connection-lost]",
    );
  });

  test("takes either spelling of a reason for the same, and says why the rest differs", async () => {
    const asked = ["explain", "machine/m", "-f", join(import.meta.dirname, "test-dump.yaml"), "--connected"];
    const flags = ["--last-probe-success", "2025-01-15T12:00:00Z"];
    const same = await capstan(...asked, "NodeReady", ...flags);
    expect(same.out).not.toContain("on the object");
    const other = await capstan(...asked, "InfrastructureReady", ...flags);
    expect(other.out).toContain(
      "on the object: True Ready ; not yet reconciled: it was judged at generation 1, the object is at 2; " +
        "kubectl-edit wrote it at 2025-01-15T11:58:00Z; capstan writes the other conditions",
    );
  });

  test("says what WorkersAvailable counts, where it counts nothing", async () => {
    const { out } = await capstan("explain", "cluster/quickstart", "WorkersAvailable", ...dump("node-ready/ready"));
    expect(out).toContain("holds  there is no MachineDeployment and no MachinePool");
    expect(out).toContain("row no-workers: counts MachineDeployments and MachinePools; ");
  });

  test("is the same as JSON and as YAML", async () => {
    const asked = ["explain", "machine/worker", "NodeReady", ...dump("node-ready/silent"), "-o"];
    const { out } = await capstan(...asked, "json");
    expect(JSON.parse(out)).toMatchObject({
      object: { kind: "Machine", namespace: "default", name: "worker" },
      tree: { type: "NodeReady", explanation: { row: "silent" } },
      missing: [],
    });
    expect((await capstan(...asked, "yaml")).out).toContain("row: silent");
  });

  test("prints the table itself", async () => {
    const { out } = await capstan("explain", "machine", "NodeReady", "--docs");
    expect(out).toContain("deleted-under-machine");
  });

  test.each([
    ["a kind", ["explain", "lamp/x", ...dump("node-ready/silent")], "there is no kind lamp; there are Cluster,"],
    [
      "an object",
      ["explain", "machine/x", ...dump("node-ready/silent")],
      "there is no Machine x in namespace default: there is worker",
    ],
    [
      "a condition",
      ["explain", "machine/worker", "Lit", ...dump("node-ready/silent")],
      "Machine worker has no condition Lit: there are Paused,",
    ],
    ["a file", ["explain", "machine/x", "-f", "nowhere.yaml"], "cannot read nowhere.yaml"],
    [
      "a time",
      ["explain", "machine/worker", ...dump("node-ready/silent"), "--now", "noon"],
      "--now must be a time such as",
    ],
  ])("refuses %s that is not there", async (_, args, message) => {
    const { code, err } = await capstan(...args);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

test("without a kubeconfig it is told that capstan up makes one", async () => {
  vi.stubEnv("HOME", join(examples, "nobody"));
  vi.stubEnv("KUBECONFIG", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, err } = await capstan("explain", "machine/x");
  expect(code).toBe(1);
  expect(err).toMatch(
    /^error: there is no kubeconfig: .*; or start a plane with capstan up, which is found without any$/m,
  );
});

describe("a described dump", () => {
  test("shows everything that makes up a Cluster, with rows", async () => {
    const { code, out } = await capstan("describe", "cluster", "quickstart", ...dump("node-ready/not-ready"));
    expect(code).toBe(0);
    expect(out).toMatch(/^Cluster\/quickstart +Available +False/m);
    expect(out).toMatch(/Machine\/worker +Ready +False +NotReady +not-ready/);
    expect(out).toContain("why: capstan explain -f ");
    expect(out).toContain(" machine/worker\n");
  });

  test("is asked for as explain is, too", async () => {
    const one = await capstan("describe", "cluster", "quickstart", ...dump("node-ready/not-ready"));
    expect(await capstan("describe", "cluster/quickstart", ...dump("node-ready/not-ready"))).toEqual(one);
  });

  test.each([
    ["a Cluster without a name", ["cluster"], "give one name, such as cluster quickstart"],
    ["two Clusters", ["cluster/a", "b"], "give one name, such as cluster quickstart"],
    ["a Machine", ["machine/a"], "only clusters are described, not machine"],
  ])("refuses %s", async (_, asked, message) => {
    const { code, err } = await capstan("describe", ...asked);
    expect({ code, err }).toEqual({ code: 1, err: `error: ${message}\n` });
  });

  test("shows Machines of a set that is not in it", async () => {
    const file = join(import.meta.dirname, "test-dump.yaml");
    const { out } = await capstan("describe", "cluster", "c", "-f", file);
    expect(out).toMatch(/^└─Workers\n {2}└─Machine\/m /m);
  });

  test("shows what is wrong in the end, and what is only as last known", async () => {
    const lost = await capstan("describe", "cluster", "quickstart", ...dump("node-ready/connection-lost"));
    // A cause comes before what follows from it.
    expect(lost.out).toMatch(/^Cluster\/quickstart +.* InfrastructureReady: DevCluster has been deleted while .*/m);
    expect(lost.out).toMatch(/DevCluster\/quickstart +Missing +it does not exist$/m);
    expect(lost.out).toContain("Cluster default/quickstart does not answer (last reached at 2025-01-15T11:50:00Z), ");
    expect(lost.out).toContain("Machines have been Unknown since 2025-01-15T11:55:00Z: ");
    const away = await capstan("describe", "cluster", "quickstart", ...dump("node-ready/disconnected-keep"));
    expect(away.out).toContain("Cluster default/quickstart does not answer (last reached at 2025-01-15T11:59:00Z), ");
    expect(away.out).toContain(
      "Ready become Unknown, and Available False, at 2025-01-15T12:04:00Z unless the cluster answers\n",
    );
  });

  test("is data with -o json", async () => {
    const { out } = await capstan("describe", "cluster", "quickstart", ...dump("node-ready/ready"), "-o", "json");
    expect(JSON.parse(out)).toMatchObject({ object: { kind: "Cluster", name: "quickstart" } });
  });
});
