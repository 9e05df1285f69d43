import { expect, test } from "vitest";
import { createFakeClock } from "./clock.ts";
import { seconds } from "./duration.ts";
import { taskGroup, TaskGroupClosedError } from "./task-group.ts";
import { parseTimestamp } from "./timestamp.ts";

const start = parseTimestamp("2026-11-15T10:00:00Z");

test("leaving the block waits for every task", async () => {
  const clock = createFakeClock(start);
  const done: string[] = [];
  const block = (async () => {
    await using group = taskGroup();
    group.spawn(async () => {
      await clock.sleep(seconds(2));
      done.push("slow");
    });
    group.spawn(async () => {
      await clock.sleep(seconds(1));
      done.push("fast");
      group.spawn(async () => {
        await clock.sleep(seconds(5));
        done.push("spawned by another");
      });
    });
    done.push("block");
  })();
  await clock.advance(seconds(10));
  await block;
  expect(done).toEqual(["block", "fast", "slow", "spawned by another"]);
});

test("the first failure cancels the rest and is what the block throws", async () => {
  const clock = createFakeClock(start);
  const first = new Error("first");
  const ended: unknown[] = [];
  const block = (async () => {
    await using group = taskGroup();
    group.spawn((signal) => clock.sleep(seconds(100), { signal }).catch((reason: unknown) => ended.push(reason)));
    group.spawn((signal) => clock.sleep(seconds(100), { signal }));
    group.spawn(async () => {
      await clock.sleep(seconds(1));
      throw first;
    });
  })();
  await Promise.all([expect(block).rejects.toBe(first), clock.advance(seconds(1))]);
  expect(ended).toEqual([first]);
});

test("aborting the outer signal cancels all", async () => {
  const clock = createFakeClock(start);
  const outer = new AbortController();
  const reason = new Error("shutdown");
  const block = (async () => {
    await using group = taskGroup(outer.signal);
    group.spawn((signal) => clock.sleep(seconds(100), { signal }));
    group.spawn((signal) => clock.sleep(seconds(100), { signal }));
  })();
  outer.abort(reason);
  await expect(block).rejects.toBe(reason);
  expect(clock.sleepers).toBe(0);
});

test("tasks that end in peace when they are cancelled make no failure", async () => {
  const outer = new AbortController();
  const block = (async () => {
    await using group = taskGroup(outer.signal);
    group.spawn((signal) => new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())));
  })();
  outer.abort();
  await expect(block).resolves.toBeUndefined();
});

test("a group under a signal that is aborted already hands that on", async () => {
  await using group = taskGroup(AbortSignal.abort("over"));
  expect([group.signal.aborted, group.signal.reason]).toEqual([true, "over"]);
});

test("cancelling asks the tasks to end", async () => {
  const ended: string[] = [];
  await using group = taskGroup();
  group.spawn(
    (signal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          ended.push(String(signal.reason));
          resolve();
        });
      }),
  );
  group.cancel("enough");
  expect(ended).toEqual(["enough"]);
});

test("a task that throws before its first await fails like any other", async () => {
  const block = (async () => {
    await using group = taskGroup();
    group.spawn(() => {
      throw new Error("at once");
    });
  })();
  await expect(block).rejects.toThrow("at once");
});

test("a group takes no tasks once its block has been left, and leaves nothing on the outer signal", async () => {
  const outer = new AbortController();
  let kept: ReturnType<typeof taskGroup> | undefined;
  {
    await using group = taskGroup(outer.signal);
    kept = group;
  }
  expect(() => kept.spawn(async () => undefined)).toThrow(TaskGroupClosedError);
  outer.abort();
  expect(kept.signal.aborted).toBe(false);
});
