import { expect, test } from "vitest";
import { after, createFakeClock, createLogger, minutes, parseTimestamp, seconds, type Timestamp } from "#base";
import { createClusterSources, reasonsToTell } from "./cluster-sources.ts";

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const cluster = { namespace: "default", name: "c" };
const nothing = { didConnect: false, didDisconnect: false };
const quiet = createLogger({
  format: "text",
  level: "error",
  clock: createFakeClock(noon),
  destination: { write: () => undefined },
});

const ago = (count: number): Timestamp => after(noon, seconds(-count));

test.each([
  { what: "connecting is told", news: { ...nothing, lastProbeSuccess: noon, didConnect: true }, reasons: ["connect"] },
  {
    what: "disconnecting is told",
    news: { ...nothing, lastProbeSuccess: ago(50), didDisconnect: true },
    reasons: ["disconnect"],
  },
  { what: "nothing is told of nothing", news: { ...nothing, lastProbeSuccess: ago(10) }, reasons: [] },
  {
    what: "a probe that failed for too long is told",
    news: { ...nothing, lastProbeSuccess: ago(51) },
    reasons: ["health probe didn't succeed since more than 50s"],
  },
  { what: "just as long is not too long", news: { ...nothing, lastProbeSuccess: ago(50) }, reasons: [] },
  {
    what: "what was told after the time was over is not told again",
    news: { ...nothing, lastProbeSuccess: ago(60) },
    lastTold: ago(10),
    reasons: [],
  },
  {
    what: "what was told before the time was over is told",
    news: { ...nothing, lastProbeSuccess: ago(60) },
    lastTold: ago(11),
    reasons: ["health probe didn't succeed since more than 50s"],
  },
  {
    what: "a cluster that was never reached is told once",
    news: nothing,
    reasons: ["health probe didn't succeed since more than 50s"],
  },
  {
    what: "an initialization after the last good probe begins the time anew, and that is told, too",
    news: { ...nothing, lastProbeSuccess: ago(70), initialized: ago(51) },
    lastTold: ago(19),
    reasons: ["health probe didn't succeed since more than 50s"],
  },
  {
    what: "only who asks for it is told that",
    news: { ...nothing, lastProbeSuccess: ago(70), initialized: ago(51) },
    lastTold: ago(19),
    sinceInitialized: false,
    reasons: [],
  },
  {
    what: "an initialization before the last good probe counts for nothing",
    news: { ...nothing, lastProbeSuccess: ago(10), initialized: ago(51) },
    lastTold: ago(20),
    reasons: [],
  },
  { what: "a cluster that was never reached is not told twice", news: nothing, lastTold: ago(3600), reasons: [] },
])("$what", ({ news, lastTold, sinceInitialized = true, reasons }) => {
  const told = { lastTold, probeFailures: [seconds(50)], sinceInitialized };
  expect(reasonsToTell({ now: noon, ...news }, told)).toEqual(reasons);
});

test("whoever is told in the second in which a time is up is told again when it is over", () => {
  const sources = createClusterSources({ log: quiet });
  sources.add({ name: "cluster", probeFailures: [seconds(50)] });
  const at = (count: number) => ({ now: after(noon, seconds(count)), lastProbeSuccess: noon, ...nothing });
  expect(sources.tell(cluster, { ...at(50), didDisconnect: true })).toEqual(["cluster"]);
  expect(sources.tell(cluster, at(50))).toEqual([]);
  expect(sources.tell(cluster, at(51))).toEqual(["cluster"]);
  expect(sources.tell(cluster, at(52))).toEqual([]);
});

test("it is known when somebody has to be told, until that time is over", () => {
  const sources = createClusterSources({ log: quiet });
  sources.add({ name: "cluster", probeFailures: [seconds(50)] });
  sources.add({ name: "machine", probeFailures: [minutes(5)], sinceInitialized: true });
  expect(sources.waits({ now: noon, lastProbeSuccess: ago(10) })).toEqual([seconds(41), seconds(291)]);
  expect(sources.waits({ now: noon, lastProbeSuccess: ago(51) })).toEqual([seconds(250)]);
  expect(sources.waits({ now: noon, lastProbeSuccess: ago(301) })).toEqual([]);
  expect(sources.waits({ now: noon, lastProbeSuccess: ago(301), initialized: ago(300) })).toEqual([seconds(1)]);
  expect(sources.waits({ now: noon })).toEqual([]);
});

test("each source hears what it asked for, until its signal ends it", () => {
  const sources = createClusterSources({ log: quiet });
  const heard: string[] = [];
  const stop = new AbortController();
  sources
    .add({ name: "cluster", probeFailures: [seconds(50)] })
    .subscribe(({ name }) => heard.push(`cluster ${name}`), { signal: stop.signal });
  sources
    .add({ name: "machine", probeFailures: [minutes(5)] })
    .subscribe(({ name }) => heard.push(`machine ${name}`), { signal: new AbortController().signal });

  expect(sources.tell(cluster, { now: ago(300), ...nothing, didConnect: true })).toEqual(["cluster", "machine"]);
  const lost = { now: noon, lastProbeSuccess: ago(240), ...nothing };
  expect(sources.tell(cluster, lost)).toEqual(["cluster"]);
  expect(sources.tell(cluster, lost)).toEqual([]);
  stop.abort();
  sources.forget(cluster);
  expect(sources.tell(cluster, lost)).toEqual(["cluster"]);
  expect(heard).toEqual(["cluster c", "machine c", "cluster c"]);
});
