import type { Writable } from "node:stream";
import { seconds } from "#base";
import type { Deadlines } from "./deadlines.ts";

const patience = seconds(30);

/**
 * Waits until an output takes more, is closed, or the signal says that it is over. A client that takes nothing for so
 * long is gone, or might as well be.
 */
export function drained(output: Writable, deadlines: Deadlines, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const inTime = deadlines.add(patience, () => output.destroy());
    const done = () => {
      inTime();
      output.off("drain", done).off("close", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    output.once("drain", done).once("close", done);
    signal.addEventListener("abort", done);
    if (signal.aborted || output.destroyed) done();
  });
}
