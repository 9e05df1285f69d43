import { asJson, type JsonObject, type KubeObject } from "#machinery";
import type { Conversion } from "#apiserver/resources";
import { without } from "./object-fields.ts";

// One event, two spellings: the core group's and that of events.k8s.io.
const spellings = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["source", "deprecatedSource"],
] as const;

// What each of the two always shows, even where there is nothing to show.
const emptyInCore = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: "",
  reportingInstance: "",
};
const emptyInNew = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
};

/** The apiVersion of events in the group that has them for itself. */
export const eventsApiVersion = "events.k8s.io/v1";

/** An event as the core group spells it; one that is spelled so already comes back as it is. */
export function eventToCore(event: KubeObject): KubeObject {
  if (event.apiVersion === "v1") return event;
  const renamed = respelled(asJson(event), ([core, modern]) => [modern, core]);
  return { ...emptyInCore, ...renamed, apiVersion: "v1", kind: "Event", metadata: event.metadata };
}

/** An event as events.k8s.io spells it; one that is spelled so already comes back as it is. */
export function eventFromCore(event: KubeObject): KubeObject {
  if (event.apiVersion === eventsApiVersion) return event;
  const renamed = respelled(asJson(event), ([core, modern]) => [core, modern]);
  // Texts that say nothing are left out here, where the core group shows them.
  const empty = ["reportingController", "reportingInstance"].filter((name) => renamed[name] === "");
  const shown = { ...emptyInNew, ...without(renamed, ...empty) };
  return { ...shown, apiVersion: eventsApiVersion, kind: "Event", metadata: event.metadata };
}

/** Between the two groups' events, which are one store. */
export const eventConversion: Conversion = {
  kind: "by-call",
  convert: (objects, apiVersion) =>
    Promise.resolve(objects.map(apiVersion === eventsApiVersion ? eventFromCore : eventToCore)),
};

function respelled(
  event: JsonObject,
  direction: (pair: (typeof spellings)[number]) => readonly [from: string, to: string],
): JsonObject {
  const names = new Map(spellings.map(direction));
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [names.get(name) ?? name, value]));
}
