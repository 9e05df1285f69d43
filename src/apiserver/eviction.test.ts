import { describe, expect, test } from "vitest";
import { ApiError, type KubeObject, type Transport } from "#machinery";
import { openMemoryStore } from "#apiserver/store";
import { openTestServer } from "./test-server.ts";

const pods = { group: "", version: "v1", resource: "pods" };
const budgets = { group: "policy", version: "v1", resource: "poddisruptionbudgets" };
const namespace = "default";

async function world(): Promise<{
  transport: Transport;
  evict: (name: string) => Promise<KubeObject>;
  close: () => Promise<void>;
}> {
  const subject = await openTestServer(openMemoryStore());
  const { server } = subject;
  const transport = server.transport();
  const [eviction] = server.answered.filter(({ subresource }) => subresource === "eviction");
  const evict = async (name: string) => {
    if (eviction === undefined) throw new Error("nobody answers evictions");
    const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
    return await eviction.create({ caller: { name: "a", groups: [] }, namespace, name, body, dryRun: false });
  };
  return { transport, evict, close: () => subject.close() };
}

async function addPod(transport: Transport, name: string, phase = "Running"): Promise<void> {
  const spec = { containers: [{ name: "c", image: "i" }] };
  await transport.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app: "web" } },
    spec,
  });
  const patch = { status: { phase } };
  await transport.patch(pods, { namespace, name }, { kind: "merge", patch }, { subresource: "status" });
}

async function addBudget(transport: Transport, name: string, disruptionsAllowed: number): Promise<void> {
  const spec = { minAvailable: 1, selector: { matchLabels: { app: "web" } } };
  await transport.create(budgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace },
    spec,
  });
  const status = { observedGeneration: 1, disruptionsAllowed, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 };
  await transport.patch(budgets, { namespace, name }, { kind: "merge", patch: { status } }, { subresource: "status" });
}

describe("evicting a pod", () => {
  test("one that no budget selects goes", async () => {
    const { transport, evict, close } = await world();
    await addPod(transport, "a");
    expect(await evict("a")).toMatchObject({ kind: "Status", status: "Success" });
    expect((await transport.list(pods)).items).toEqual([]);
    await close();
  });

  test("a budget is spent, and then refuses with what it needs", async () => {
    const { transport, evict, close } = await world();
    await addPod(transport, "a");
    await addPod(transport, "b");
    await addBudget(transport, "web", 1);
    await evict("a");
    const failure = await evict("b").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      httpCode: 429,
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      status: {
        details: {
          causes: [
            {
              reason: "DisruptionBudget",
              message: "The disruption budget web needs 1 healthy pods and has 1 currently",
            },
          ],
        },
      },
    });
    expect((await transport.get(budgets, { namespace, name: "web" }))["status"]).toMatchObject({
      disruptionsAllowed: 0,
    });
    await close();
  });

  test("one that does not run goes whatever the budget says, and two budgets are refused", async () => {
    const { transport, evict, close } = await world();
    await addPod(transport, "done", "Succeeded");
    await addPod(transport, "a");
    await addBudget(transport, "web", 0);
    await evict("done");
    await addBudget(transport, "second", 1);
    await expect(evict("a")).rejects.toThrow("more than one PodDisruptionBudget");
    await expect(evict("nobody")).rejects.toThrow('pods "nobody" not found');
    await close();
  });
});
