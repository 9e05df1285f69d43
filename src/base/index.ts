export * from "./clock.ts";
export * from "./duration.ts";
export * from "./errors.ts";
export * from "./next.ts";
export * from "./quote.ts";
export * from "./timestamp.ts";
