export { serveCustomResources } from "./controller.ts";
export { asDefinition, cleanupFinalizer, type CustomResourceDefinition, definitions } from "./crd.ts";
export { customResource } from "./custom-resource.ts";
