import { expect, test } from "vitest";
import { createConnectTurns } from "./connect-turns.ts";

const { signal } = new AbortController();

test("so many connect at once, and the next when one has done", async () => {
  const turns = createConnectTurns({ mostAtOnce: 2 });
  const [first] = await Promise.all([turns.take({ failures: 0, signal }), turns.take({ failures: 0, signal })]);
  const third = turns.take({ failures: 0, signal });
  expect(turns.taken).toBe(2);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await third;
  expect(turns.taken).toBe(2);
});

test("whoever failed least comes first, then whoever waits longest", async () => {
  const turns = createConnectTurns({ mostAtOnce: 1 });
  const order: string[] = [];
  const holder = await turns.take({ failures: 0, signal });
  const connects = [
    { name: "dead", failures: 9 },
    { name: "failed once", failures: 1 },
    { name: "new", failures: 0 },
    { name: "newer", failures: 0 },
    { name: "failed once, later", failures: 1 },
  ].map(async ({ name, failures }) => {
    using _ = await turns.take({ failures, signal });
    order.push(name);
  });
  holder[Symbol.dispose]();
  await Promise.all(connects);
  expect(order).toEqual(["new", "newer", "failed once", "failed once, later", "dead"]);
  expect(turns.taken).toBe(0);
});

test("however many are dead, half of the turns are left to the others", async () => {
  const turns = createConnectTurns({ mostAtOnce: 4 });
  const dead = Array.from({ length: 10 }, () => turns.take({ failures: 3, signal }));
  await Promise.all(dead.slice(0, 2));
  expect(turns.taken).toBe(2);
  await Promise.all([turns.take({ failures: 0, signal }), turns.take({ failures: 0, signal })]);
  expect(turns.taken).toBe(4);
});

test("whoever gives up waiting is not given a turn", async () => {
  const turns = createConnectTurns({ mostAtOnce: 1 });
  const holder = await turns.take({ failures: 0, signal });
  const stop = new AbortController();
  const called = turns.take({ failures: 0, signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(called).rejects.toThrow("enough");
  holder[Symbol.dispose]();
  expect(turns.taken).toBe(0);
  await expect(turns.take({ failures: 0, signal: stop.signal })).rejects.toThrow("enough");
});
