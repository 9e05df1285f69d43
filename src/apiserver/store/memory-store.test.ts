import { describe } from "vitest";
import { openMemoryStore } from "./memory-store.ts";
import { storeSuite } from "./store-suite.ts";

describe("a store in memory", () => {
  storeSuite(async () => openMemoryStore());
});
