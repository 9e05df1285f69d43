import type { JsonObject } from "#machinery";
import { coreDefaults } from "./core-group.ts";
import { extensionDefaults } from "./extension.ts";
import { inertDefaults } from "./inert.ts";
import { workloadDefaults } from "./workload.ts";

/** Fields with their values, or a function from an object to a fuller one. */
export type TypeDefaults = JsonObject | ((object: JsonObject) => JsonObject);

/** What is filled in where nothing is said, by the type that it is said about: wherever a PodSpec stands, it gets these. */
export const defaultsByType: ReadonlyMap<string, TypeDefaults> = new Map(
  Object.entries({ ...coreDefaults, ...workloadDefaults, ...extensionDefaults, ...inertDefaults }),
);
