export { collectGarbage } from "./garbage.ts";
export { terminateNamespaces } from "./namespaces.ts";
export { compactHistory, sweepExpired } from "./upkeep.ts";
export { createWorker, type Worker, type WorkerOptions } from "./worker.ts";
