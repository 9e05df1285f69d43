import type { Writable } from "node:stream";
import { seconds } from "#base";
import type { Deadlines } from "./deadlines.ts";

const patience = seconds(30);
// The platform calls an output full long before it is worth waiting for.
const mostUnsent = 256 * 1024;

/** True for an output whose client has fallen behind so far that more would only take memory. */
export function isFull(output: Writable): boolean {
  return output.writableNeedDrain && output.writableLength > mostUnsent;
}

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
