import { expect, test } from "vitest";
import { hours } from "#base";
import { type ChaosScene, openChaos } from "./chaos-scene.ts";

/** The cache, and whoever listened to it, has what the server has; and nobody was told anything out of order. */
async function expectSame(scene: ChaosScene): Promise<void> {
  const { cached, told, served } = await scene.outcome();
  expect(cached).toEqual(served);
  expect(told).toEqual(served);
  expect(scene.disorder).toEqual([]);
}

test("connections that are reset within events", async () => {
  await using scene = await openChaos({ seed: 1 });
  const { proxy, writer } = scene;
  for (let round = 0; round < 10; round += 1) {
    proxy.resetAfter = () => 2000 + Math.floor(writer.random() * 30_000);
    proxy.dropAll();
    await writer.write(30);
  }
  proxy.resetAfter = undefined;
  await expectSame(scene);
  expect(scene.problems.join("")).toContain("watch");
});

test("watches that end within an event as if all was told", async () => {
  await using scene = await openChaos({ seed: 2, by: "truncating" });
  const { truncating, proxy, writer } = scene;
  for (const instead of ["", '"}\n', "\n", '{"type":"ADDED"}\n{"ty']) {
    truncating.instead = instead;
    truncating.endAfter = () => 100 + Math.floor(writer.random() * 20_000);
    proxy.dropAll();
    await writer.write(60);
  }
  truncating.endAfter = undefined;
  await expectSame(scene);
  expect(scene.problems.length).toBeGreaterThan(0);
});

test("a place to resume from that the server has forgotten", async () => {
  await using scene = await openChaos({ seed: 3 });
  const { proxy, plane, writer } = scene;
  proxy.target = undefined;
  proxy.dropAll();
  await writer.write(100);
  await plane.stop();
  await plane.forgetHistory();
  await plane.start();
  proxy.target = plane.port;
  await expectSame(scene);
  expect(scene.lists).toBe(2);
  expect(scene.problems.join("")).toContain("too old resource version");
});

test("a server that starts again on the same data", async () => {
  await using scene = await openChaos({ seed: 4 });
  const { proxy, plane, writer } = scene;
  for (let round = 0; round < 3; round += 1) {
    await writer.write(20);
    await plane.stop();
    proxy.target = undefined;
    await plane.start();
    await writer.write(20);
    proxy.target = plane.port;
  }
  await expectSame(scene);
  expect(scene.lists).toBe(1);
});

test("a server that starts again on older data", async () => {
  await using scene = await openChaos({ seed: 5 });
  const { proxy, plane, writer } = scene;
  await writer.write(200);
  await plane.stop();
  plane.forgetEverything();
  await plane.start();
  await writer.write(10);
  proxy.target = plane.port;
  await expectSame(scene);
});

test("connections that say nothing any more", async () => {
  await using scene = await openChaos({ seed: 6 });
  const { proxy, writer } = scene;
  for (let round = 0; round < 2; round += 1) {
    await writer.write(20);
    proxy.stall();
    await writer.write(20);
  }
  await expectSame(scene);
  expect(scene.problems.join("")).toContain("the server did not answer a ping");
});

test("clocks that jump", async () => {
  await using scene = await openChaos({ seed: 7 });
  const { clock, proxy, writer } = scene;
  for (const jump of [
    () => clock.jumpAhead(hours(3)),
    () => clock.setDateBack(hours(48)),
    () => clock.jumpAhead(hours(200)),
  ]) {
    await writer.write(20);
    jump();
    await writer.write(20);
    proxy.dropAll();
    jump();
  }
  await expectSame(scene);
});

test.each([11, 12, 13])("all of that at once, as chance has it (%i)", async (seed) => {
  await using scene = await openChaos({ seed });
  const { clock, proxy, plane, writer } = scene;
  const faults: readonly (() => void | Promise<void>)[] = [
    () => proxy.dropAll(),
    () => proxy.stall(),
    () => clock.jumpAhead(hours(1)),
    () => {
      proxy.resetAfter = () => 2000 + Math.floor(writer.random() * 20_000);
    },
    () => {
      proxy.resetAfter = undefined;
    },
    async () => {
      proxy.target = undefined;
      await plane.stop();
      if (writer.random() < 0.5) await plane.forgetHistory();
      await plane.start();
      await writer.write(10);
      proxy.target = plane.port;
    },
  ];
  for (let round = 0; round < 20; round += 1) {
    await writer.write(10);
    await faults[Math.floor(writer.random() * faults.length)]?.();
  }
  proxy.resetAfter = undefined;
  proxy.dropAll();
  await expectSame(scene);
});
