import { casesOf } from "./case.ts";

const home = "record-builtin";
const involved = { involvedObject: { kind: "Pod", namespace: home, name: "p" } };
const modern = {
  eventTime: "2024-01-01T00:00:00.000000Z",
  reportingComponent: "example.com/c",
  reportingInstance: "i",
  action: "Act",
  reason: "Because",
};

export const eventCases = casesOf("events", involved, {
  "a short one": { reason: "R", message: "M", type: "Normal" },
  "an old one in full": {
    reason: "R",
    message: "M",
    type: "Warning",
    source: { component: "c", host: "h" },
    firstTimestamp: "2024-01-01T00:00:00Z",
    lastTimestamp: "2024-01-01T00:00:00.5Z",
    count: 3,
  },
  "another namespace": { involvedObject: { namespace: "other" } },
  "no namespace": { involvedObject: { namespace: null } },
  "about the cluster, in default": { metadata: { namespace: "default" }, involvedObject: { namespace: null } },
  "a modern one": modern,
  "a modern one about another namespace": { ...modern, involvedObject: { namespace: "other" } },
  "a modern one without a namespace": { ...modern, involvedObject: { namespace: null } },
  "a modern one that says nothing": { eventTime: "2024-01-01T00:00:00.000000Z" },
  "a modern one that says too much": {
    ...modern,
    reportingInstance: "i".repeat(129),
    action: "a".repeat(129),
    reason: "r".repeat(129),
    message: "m".repeat(1025),
  },
  "a modern one from a bad controller": { ...modern, reportingComponent: "a b" },
  "a name that others would not have": { metadata: { name: "Some_Name.1" }, reason: "R" },
  "an empty series": { ...modern, series: {} },
  "count as text": { count: "1" },
  "counted on": { from: { reason: "R", count: 1 }, to: { count: 2, lastTimestamp: "2024-01-01T00:00:00Z" } },
  "a modern one changes all over": { from: modern, to: { reason: "Other", action: "Other" } },
});

const strict = {
  regarding: { kind: "Pod", namespace: home, name: "p" },
  eventTime: "2024-01-01T00:00:00.000000Z",
  reportingController: "example.com/c",
  reportingInstance: "i",
  action: "Act",
  reason: "Because",
  type: "Normal",
};

export const newEventCases = casesOf("events.events.k8s.io", strict, {
  "a good one": { note: "N" },
  "a series": { series: { count: 2, lastObservedTime: "2024-01-01T00:00:00.000001Z" } },
  "a series that is none": { series: { count: 1 } },
  "no time": { eventTime: null },
  "no time and another namespace": { eventTime: null, regarding: { namespace: "other" } },
  "no type": { type: null },
  "an unknown type": { type: "Odd" },
  "deprecated fields": {
    deprecatedCount: 1,
    deprecatedFirstTimestamp: "2024-01-01T00:00:00Z",
    deprecatedLastTimestamp: "2024-01-01T00:00:00Z",
    deprecatedSource: { component: "c" },
  },
  "a bad name": { metadata: { name: "Some_Name" } },
  "nothing said": { reportingController: null, reportingInstance: null, action: null, reason: null },
  "the series grows": {
    from: { series: { count: 2, lastObservedTime: "2024-01-01T00:00:00.000001Z" } },
    to: { series: { count: 3, lastObservedTime: "2024-01-01T00:00:01.000001Z" } },
  },
  "the series shrinks": {
    from: { series: { count: 2, lastObservedTime: "2024-01-01T00:00:00.000001Z" } },
    to: { series: { count: 1 } },
  },
  "what is fixed changes": {
    from: { note: "N" },
    to: { note: "O", reason: "Other", action: "Other", type: "Warning" },
  },
  "who reports changes": { from: {}, to: { reportingController: "example.com/d", reportingInstance: "j" } },
  "the time changes": { from: {}, to: { eventTime: "2024-01-01T00:00:01.000000Z" } },
});
