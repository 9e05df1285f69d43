import { setFlagsFromString } from "node:v8";

/**
 * Sets the garbage collector for a process that makes many short-lived objects on top of many that stay. With its helpers
 * at work on the short-lived ones, the same work takes a tenth more CPU. And it is told to look for garbage when memory
 * has grown by less than half: left to itself it would wait for a multiple of what is in use.
 */
export function tuneMemory(): void {
  setFlagsFromString("--no-parallel-scavenge");
  setFlagsFromString("--heap-growing-percent=40");
}
