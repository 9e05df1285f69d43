import { setMaxListeners } from "node:events";

/** Lets a signal end many calls at once: the platform takes more than ten listeners for a leak and complains. */
export function allowManyListeners(signal: AbortSignal | undefined): void {
  if (signal !== undefined) setMaxListeners(0, signal);
}
