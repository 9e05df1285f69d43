import { bench as caches } from "./control-cache.ts";
import { bench as passes } from "./control-pass.ts";
import { bench as queue } from "./control-queue.ts";

/** All that the control room is measured by. */
export async function bench(print: (line: object) => void): Promise<void> {
  queue(print);
  await passes(print);
  await caches(print);
}
