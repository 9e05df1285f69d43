export { createCatalog, type Catalog } from "./catalog/catalog.ts";
export { runtimeCatalog } from "./catalog/runtime-catalog.ts";
