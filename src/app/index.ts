export { type MainOptions, runMain } from "./main.ts";
export { allTables } from "./tables.ts";
export { processTerminal, type Terminal } from "./terminal.ts";
export { tuneMemory } from "./memory.ts";
