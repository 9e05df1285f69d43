import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("work on one key is done in order, a failure in between does no harm, and other keys do not wait", async () => {
  const turns = new Turns();
  const said: string[] = [];
  const { promise: gate, resolve: open } = promised();
  const first = turns.take("a", async () => {
    await gate;
    said.push("first");
  });
  const second = turns.take("a", () => Promise.reject(new Error("no")));
  const third = turns.take("a", async () => void said.push("third"));
  await turns.take("b", async () => void said.push("other"));
  expect(said).toEqual(["other"]);
  open();
  await expect(second).rejects.toThrow("no");
  await Promise.all([first, third]);
  expect(said).toEqual(["other", "first", "third"]);
});

function promised(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
