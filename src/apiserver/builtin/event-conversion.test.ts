import { expect, test } from "vitest";
import { builtinSchema } from "./builtin-schema.ts";
import { eventConversion, eventFromCore, eventsApiVersion, eventToCore } from "./event-conversion.ts";

const core = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e", namespace: "n" },
  involvedObject: { kind: "Pod", name: "p", namespace: "n" },
  reason: "R",
  message: "M",
  type: "Normal",
  count: 2,
  source: { component: "c" },
  firstTimestamp: "2024-01-01T00:00:00Z",
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: "",
  reportingInstance: "",
};

test("an event of the core group is shown by events.k8s.io under its own names", () => {
  expect(eventFromCore(core)).toEqual({
    apiVersion: eventsApiVersion,
    kind: "Event",
    metadata: { name: "e", namespace: "n" },
    regarding: { kind: "Pod", name: "p", namespace: "n" },
    reason: "R",
    note: "M",
    type: "Normal",
    deprecatedCount: 2,
    deprecatedSource: { component: "c" },
    deprecatedFirstTimestamp: "2024-01-01T00:00:00Z",
    deprecatedLastTimestamp: null,
    eventTime: null,
  });
});

test("there and back again nothing is lost", () => {
  expect(eventToCore(eventFromCore(core))).toEqual(core);
});

test("what is spelled right already comes back as it is", () => {
  const modern = eventFromCore(core);
  expect(eventToCore(core)).toBe(core);
  expect(eventFromCore(modern)).toBe(modern);
});

test("both spellings are whole objects of their types", () => {
  const modern = eventFromCore(core);
  expect(builtinSchema("core/v1.Event").prune(core)).toBe(core);
  expect(builtinSchema("events/v1.Event").prune(modern)).toBe(modern);
});

test("the conversion goes by whole apiVersions and keeps the order", async () => {
  if (eventConversion.kind !== "by-call") throw new Error("events are converted");
  const there = await eventConversion.convert([core, { ...core, reason: "S" }], eventsApiVersion, {});
  expect(there.map(({ apiVersion, reason }) => [apiVersion, reason])).toEqual([
    [eventsApiVersion, "R"],
    [eventsApiVersion, "S"],
  ]);
  expect(await eventConversion.convert(there, "v1", {})).toEqual([core, { ...core, reason: "S" }]);
});
