export { collectGarbage } from "./garbage.ts";
export { compactHistory, type History, type HistoryLimits, historyLimits } from "./history.ts";
export { terminateNamespaces } from "./namespaces.ts";
export { sweepExpired } from "./upkeep.ts";
export { createWorker, type Worker, type WorkerOptions } from "./worker.ts";
