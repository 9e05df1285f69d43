import type { Writable } from "node:stream";
import { type Clock, seconds } from "#base";

const patience = seconds(30);

/** Waits until an output takes more. A client that takes nothing for so long is gone, or might as well be. */
export async function drained(output: Writable, clock: Clock, signal: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const relieve = () => enough.abort();
  output.once("drain", relieve).once("close", relieve);
  signal.addEventListener("abort", relieve);
  try {
    await clock.sleep(patience, { signal: enough.signal });
    output.destroy();
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  } finally {
    output.off("drain", relieve).off("close", relieve);
    signal.removeEventListener("abort", relieve);
  }
}
