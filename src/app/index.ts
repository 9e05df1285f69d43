export { type MainOptions, runMain } from "./main.ts";
export { processTerminal, type Terminal } from "./terminal.ts";
