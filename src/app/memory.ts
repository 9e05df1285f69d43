import { setFlagsFromString } from "node:v8";

/**
 * Sets the garbage collector for a process that makes many short-lived objects: with its helpers at work on them, the
 * same work takes a tenth more CPU.
 */
export function tuneMemory(): void {
  setFlagsFromString("--no-parallel-scavenge");
}
