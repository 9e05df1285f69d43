export { type Callout, type CalloutOptions, createCallout, type HookQuestion } from "./callout.ts";
export { CalloutError } from "./errors.ts";
export { type HookTarget, targetOf } from "./hook-target.ts";
export type { HostAndPort } from "./service-addresses.ts";
