import { createFakeClock, minutes, parseTimestamp, seconds } from "#base";
import { ApiError, type WatchEvent, type WatchOptions } from "#machinery";
import { afterEach, describe, expect, test } from "vitest";
import { WatchBrokenError } from "../errors.ts";
import { type Exchange, startTestServer, type TestServer } from "../test-server.ts";
import { createHttpTransport, type HttpTransport, type HttpTransportOptions } from "./http-transport.ts";

const widgets = { group: "example.com", version: "v1", resource: "widgets" };
const widget = (name: string) => ({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name } });
const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const bookmark = (metadata: object) => ({ apiVersion: "example.com/v1", kind: "Widget", metadata });

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function serving(
  answer: (exchange: Exchange) => void | Promise<void>,
  options: HttpTransportOptions = {},
): Promise<{ readonly server: TestServer; readonly transport: HttpTransport }> {
  const server = await startTestServer({ answer });
  closing.push(() => server.close());
  const transport = createHttpTransport(server.connection, options);
  closing.push(() => transport.close());
  return { server, transport };
}

/** All events, and the error at the end if there is one. */
async function collected(transport: HttpTransport, options: WatchOptions = {}) {
  const events: WatchEvent[] = [];
  try {
    for await (const event of transport.watch(widgets, options)) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events };
}

describe.each(["h2", "http/1.1"] as const)("over %s", (protocol) => {
  const over = { protocols: [protocol] };

  test("events come as they are sent, and the watch ends where the server ends it", async () => {
    const { server, transport } = await serving(({ response }) => {
      response.write(line("ADDED", widget("a")) + line("MODIFIED", widget("a")));
      response.write(line("BOOKMARK", bookmark({ resourceVersion: "9" })));
      const initialEnd = { resourceVersion: "10", annotations: { "k8s.io/initial-events-end": "true" } };
      response.write(line("BOOKMARK", bookmark(initialEnd)));
      response.end(line("DELETED", widget("a")));
    }, over);
    const options = { namespace: "n", resourceVersion: "5", allowWatchBookmarks: true, timeout: seconds(90) };
    expect(await collected(transport, options)).toEqual({
      events: [
        { kind: "added", object: widget("a") },
        { kind: "modified", object: widget("a") },
        { kind: "bookmark", resourceVersion: "9", initialEventsEnd: false },
        { kind: "bookmark", resourceVersion: "10", initialEventsEnd: true },
        { kind: "deleted", object: widget("a") },
      ],
    });
    expect(server.requests).toEqual([
      "GET /apis/example.com/v1/namespaces/n/widgets?watch=true&resourceVersion=5&allowWatchBookmarks=true&timeoutSeconds=90",
    ]);
  });

  test("metadata alone is asked for in its own form, and whole objects are taken too", async () => {
    const accepted: unknown[] = [];
    const { transport } = await serving(({ headers, response }) => {
      accepted.push(headers["accept"]);
      response.end(line("ADDED", widget("a")));
    }, over);
    expect(await collected(transport, { metadataOnly: true })).toEqual({
      events: [{ kind: "added", object: widget("a") }],
    });
    expect(accepted).toEqual(["application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"]);
  });

  test("who keeps many objects gets them without those who manage their fields, and freezes them", async () => {
    const managed = { ...widget("a"), metadata: { name: "a", managedFields: [{ manager: "m" }] } };
    const { transport } = await serving(({ response }) => void response.end(line("ADDED", managed)), over);
    const [event] = (await collected(transport, { withoutManagedFields: true, unfrozen: true })).events;
    expect(event).toEqual({ kind: "added", object: widget("a") });
    expect(event?.kind === "added" && Object.isFrozen(event.object)).toBe(false);
    const [usual] = (await collected(transport)).events;
    expect(usual).toEqual({ kind: "added", object: managed });
    expect(usual?.kind === "added" && Object.isFrozen(usual.object)).toBe(true);
  });

  test("slow bytes make whole events", async () => {
    const { transport } = await serving(async ({ response }) => {
      for (const byte of Buffer.from(line("ADDED", widget("ä€😀")))) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    }, over);
    expect(await collected(transport)).toEqual({ events: [{ kind: "added", object: widget("ä€😀") }] });
  });

  const breaks: Readonly<Record<string, readonly [start: string, end: (exchange: Exchange) => void]>> = {
    "a reset within an event": [`${line("ADDED", widget("a"))}{"type":"ADD`, ({ reset }) => reset()],
    "a reset between events": [line("ADDED", widget("a")), ({ reset }) => reset()],
    "a connection that goes away within an event": [`${line("ADDED", widget("a"))}{`, ({ drop }) => drop()],
    "a connection that goes away between events": [line("ADDED", widget("a")), ({ drop }) => drop()],
  };
  test.each(Object.entries(breaks))("%s is called a reset", async (_, [start, end]) => {
    let exchange: Exchange | undefined;
    const { transport } = await serving((begun) => {
      exchange = begun;
      begun.response.write(start);
    }, over);
    const events = transport.watch(widgets)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { kind: "added" } });
    if (exchange !== undefined) end(exchange);
    await expect(events.next()).rejects.toMatchObject({ code: "WATCH_BROKEN", problem: "reset" });
  });

  const endings: Readonly<Record<string, readonly [answer: (exchange: Exchange) => void, problem: string]>> = {
    "an end within an event": [
      ({ response }) => response.end(`${line("ADDED", widget("a"))}{"type":"ADDED","obj`),
      "truncated",
    ],
    "a line that is not JSON": [({ response }) => response.end(`${line("ADDED", widget("a"))}garbage\n`), "garbage"],
    "an event of no known type": [
      ({ response }) => response.end(line("ADDED", widget("a")) + line("RENAMED", widget("a"))),
      "garbage",
    ],
    "an event about no object": [
      ({ response }) => response.end(line("ADDED", widget("a")) + line("ADDED", { kind: "Widget" })),
      "garbage",
    ],
    "an event without bounds": [
      ({ response }) => response.end(`${line("ADDED", widget("a"))}${"x".repeat(100_000)}`),
      "too-large",
    ],
  };
  test.each(Object.entries(endings))("%s says what it is", async (_, [answer, problem]) => {
    const { transport } = await serving(answer, { ...over, mostEventBytes: 10_000 });
    const { events, error } = await collected(transport);
    expect(events).toEqual([{ kind: "added", object: widget("a") }]);
    expect(error).toBeInstanceOf(WatchBrokenError);
    expect(error).toMatchObject({ problem });
  });

  test("a whole event without a line end counts", async () => {
    const { transport } = await serving(({ response }) => void response.end(line("ADDED", widget("a")).trim()), over);
    expect(await collected(transport)).toEqual({ events: [{ kind: "added", object: widget("a") }] });
  });

  test("an ERROR event and a refusal at the beginning are ApiErrors", async () => {
    const gone = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "Expired", code: 410 };
    for (const answer of [
      ({ response }: Exchange) => void response.end(line("ERROR", { ...gone, message: "too old" })),
      ({ json }: Exchange) => json({ ...gone, message: "too old" }, { status: 410 }),
    ]) {
      const { transport } = await serving(answer, over);
      const { error } = await collected(transport);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ reason: "Expired", httpCode: 410, message: "too old" });
    }
  });

  test("a signal ends a watch without an error, and a reader that leaves ends the request", async () => {
    const ended: Exchange[] = [];
    const { transport } = await serving((exchange) => {
      const { response } = exchange;
      response.on("close", () => ended.push(exchange));
      response.write(line("ADDED", widget("a")));
    }, over);
    const stop = new AbortController();
    for await (const event of transport.watch(widgets, { signal: stop.signal })) {
      expect(event.kind).toBe("added");
      stop.abort();
    }
    for await (const event of transport.watch(widgets)) {
      expect(event.kind).toBe("added");
      break;
    }
    while (ended.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(await collected(transport, { signal: stop.signal })).toEqual({ events: [] });
  });

  test("a server that forgets to end a watch is not waited for", async () => {
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    const { transport } = await serving(({ response }) => void response.write(line("ADDED", widget("a"))), {
      ...over,
      clock,
      pingAfter: minutes(60),
    });
    const events = transport.watch(widgets, { timeout: minutes(5) })[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { kind: "added" } });
    const next = events.next().catch((error: unknown) => error);
    await clock.advance(minutes(5));
    await clock.advance(seconds(30));
    expect(await next).toMatchObject({ code: "WATCH_BROKEN", problem: "stalled" });
  });

  test("a reader that takes its time is not sent everything", async () => {
    const megabyte = line("ADDED", { ...widget("a"), text: "x".repeat(1024 * 1024) });
    let written = 0;
    const { transport } = await serving(async ({ response }) => {
      for (; written < 64; written++)
        if (!response.write(megabyte)) await new Promise((resolve) => response.once("drain", resolve));
      response.end();
    }, over);
    const events = transport.watch(widgets)[Symbol.asyncIterator]();
    await events.next();
    // Nobody says when a server has stopped writing, so it is given many turns in which it could go on.
    for (let [turns, before] = [0, -1]; turns < 1000; turns = written === before ? turns + 1 : 0) {
      before = written;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(40);
    let rest = 1;
    while ((await events.next()).done !== true) rest++;
    expect(rest).toBe(64);
  });
});
