export { devJudges } from "./commands/explain-dev.ts";
export { type MainOptions, runMain } from "./main.ts";
export { addControllers, type Concurrency, type PlaneSettings } from "./plane/controllers.ts";
export { installKinds } from "./plane/install-kinds.ts";
export type { Installed } from "./plane/installed.ts";
export { allTables } from "./tables.ts";
export { processTerminal, type Terminal } from "./terminal.ts";
export { tuneEngine } from "./engine.ts";
