import { openMemoryStore } from "./memory-store.ts";
import { describeStore } from "./store-suite.ts";

describeStore("a store in memory", async () => openMemoryStore());
