export type { BodyOptions } from "./body.ts";
export { foregroundFinalizer, orphanFinalizer } from "./delete.ts";
export type { Engine, Request } from "./engine.ts";
export { type Plane, planeOf } from "./plane.ts";
export { noSuchResource, Resources, type Served, type Target } from "./resources.ts";
export { objectOf } from "./stored-state.ts";
export { hasSubresource, methodNotAllowed, transportFor } from "./transport.ts";
export type { Watching } from "./watch.ts";
export { type Wire, wireFor } from "./wire.ts";
