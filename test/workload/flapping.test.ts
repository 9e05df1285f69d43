import { expect, test } from "vitest";
import { openAnsweringServer } from "./foreign-servers.ts";
import { openWorkloadServer } from "./workload-server.ts";
import { clusterKey, openWorld } from "./world.ts";

// `npm run bench -- workload` does this for a whole day, and looks at the heap besides.
const minutes = 40;

test("clusters that come and go leave neither sockets nor timers behind", async () => {
  await using world = openWorld();
  await using server = await openWorkloadServer();
  await using sick = await openAnsweringServer(server.pki.serving(), { status: 500, body: "no" });
  const names = ["c1", "c2", "c3"];
  for (const name of names) world.put(name, server.kubeconfig());
  const connected = (): number => names.filter((name) => world.cache.isConnected(clusterKey(name))).length;

  const flap = async () => {
    await server.front.behave({ kind: "passes", to: sick.port });
    await world.pass(100, 10);
    expect(connected()).toBe(0);
    await server.front.behave({ kind: "passes", to: server.port });
    await world.pass(100, 10);
    expect(connected()).toBe(names.length);
    return { sockets: server.front.connections, sleepers: world.sleepers, timers: activeTimers() };
  };

  await world.pass(1);
  const { timers, ...before } = await flap();
  let after = { timers, ...before };
  for (let passed = 200; passed < minutes * 60; passed += 200) after = await flap();
  expect(after).toMatchObject(before);
  // Those of tests that ran here before may end meanwhile.
  expect(after.timers).toBeLessThanOrEqual(timers);
});

/** Timers of the machine that would keep this process alive. */
function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}
