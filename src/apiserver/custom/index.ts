export { serveCustomResources } from "./controller.ts";
export { customResource, type CustomResourceOptions } from "./custom-resource.ts";
