import { createFakeClock, type Duration, minutes, parseTimestamp, seconds } from "#base";
import {
  ApiError,
  expired,
  type KubeList,
  type KubeObject,
  type ListOptions,
  type WatchEvent,
  type WatchOptions,
} from "#machinery";
import { expect, test } from "vitest";
import { ConnectionError, WatchBrokenError } from "./errors.ts";
import { follow } from "./follow.ts";
import { isAboutObjects, type ObjectsEvent } from "./follow-event.ts";

const widgets = { group: "example.com", version: "v1", resource: "widgets" };

function widget(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, resourceVersion } };
}

function listOf(resourceVersion: string, ...items: KubeObject[]): KubeList {
  return { apiVersion: "example.com/v1", kind: "WidgetList", metadata: { resourceVersion }, items };
}

/** What the server does with one watch: events, then its end, an error, or silence until it is stopped. */
interface Watch {
  readonly events?: readonly WatchEvent[];
  readonly end: Error | "end" | "silence";
  /** How long it takes until then. */
  readonly lasts?: Duration;
}

/** Servers before this was invented, or with it turned off, refuse watches that begin with what is there. */
const notServed = new ApiError({ httpCode: 422, reason: "Invalid", message: "sendInitialEvents is forbidden" });

/** A server with a script; it says nothing further when the script is over. */
function scripted(lists: (KubeList | Error)[], watches: Watch[], { streams = false, patient = false } = {}) {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const asked: string[] = [];
  const problems: string[] = [];
  const transport = {
    list(_: unknown, options: ListOptions = {}): Promise<KubeList> {
      asked.push(`list${options.continue === undefined ? "" : ` ${options.continue}`}`);
      const next = lists.shift() ?? new Error("no list is left");
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    async *watch(_: unknown, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
      const { resourceVersion, sendInitialEvents = false, signal } = options;
      if (sendInitialEvents && !streams) throw notServed;
      asked.push(`watch ${sendInitialEvents ? "all" : resourceVersion}`);
      const { events = [], end, lasts }: Watch = watches.shift() ?? { end: "silence" };
      yield* events;
      if (lasts !== undefined) await clock.sleep(lasts);
      if (end === "silence" && signal?.aborted !== true)
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      if (end instanceof Error) throw end;
    },
  };
  const stop = new AbortController();
  const seen: string[] = [];
  const done = (async () => {
    const options = {
      signal: stop.signal,
      patient,
      onProblem: ({ error, retryAfter }: { error: unknown; retryAfter: Duration }) =>
        problems.push(`${error instanceof Error ? error.message : String(error)}: ${retryAfter}`),
    };
    for await (const event of follow(transport, widgets, options, { clock, random: () => 0 }))
      if (isAboutObjects(event)) seen.push(brief(event));
  })();
  return { clock, asked, problems, seen, done, stop };
}

function brief(event: ObjectsEvent): string {
  if (event.kind === "listed") return `listed ${event.objects.map(({ metadata }) => metadata.name).join(" ")}`.trim();
  return `${event.kind} ${event.object.metadata.name ?? ""}`;
}

const added = (name: string, revision: string): WatchEvent => ({ kind: "added", object: widget(name, revision) });
const deleted = (name: string, revision: string): WatchEvent => ({ kind: "deleted", object: widget(name, revision) });
const bookmark = (resourceVersion: string): WatchEvent => ({
  kind: "bookmark",
  resourceVersion,
  initialEventsEnd: false,
});
const initialEnd = (resourceVersion: string): WatchEvent => ({
  kind: "bookmark",
  resourceVersion,
  initialEventsEnd: true,
});
const reset = new WatchBrokenError("reset", "reset");

test("what is there comes first, then every change, until the signal ends it", async () => {
  const events = [added("b", "6"), { kind: "modified", object: widget("a", "7") } as const, deleted("b", "8")];
  const { seen, asked, done, stop, clock } = scripted([listOf("5", widget("a", "3"))], [{ events, end: "silence" }]);
  await clock.advance(seconds(0));
  expect(seen).toEqual(["listed a", "changed b", "changed a", "deleted b"]);
  stop.abort();
  await done;
  expect(asked).toEqual(["list", "watch 5"]);
});

test("a watch that ends or breaks is resumed from what was last seen, bookmarks included", async () => {
  const { seen, asked, clock, problems } = scripted(
    [listOf("5")],
    [
      { events: [added("a", "6")], end: "end", lasts: minutes(5) },
      { events: [bookmark("20")], end: reset, lasts: minutes(1) },
      { events: [added("b", "21")], end: "silence" },
    ],
  );
  await clock.advance(minutes(7));
  expect(asked).toEqual(["list", "watch 5", "watch 6", "watch 20"]);
  expect(seen).toEqual(["listed", "changed a", "changed b"]);
  expect(problems).toEqual(["reset: 500"]);
});

test("a gap in history is closed by a new list, at once", async () => {
  const { seen, asked, clock, problems } = scripted(
    [listOf("5", widget("a", "1")), listOf("50", widget("b", "40"))],
    [{ end: expired("too old") }, { end: "silence" }],
  );
  await clock.advance(seconds(0));
  expect(seen).toEqual(["listed a", "listed b"]);
  expect(asked).toEqual(["list", "watch 5", "list", "watch 50"]);
  expect(problems).toEqual(["too old: 0"]);
});

test("a server that was set back to an older state is listed anew", async () => {
  const details = { causes: [{ reason: "ResourceVersionTooLarge" }] };
  const ahead = new ApiError({ httpCode: 504, reason: "Timeout", message: "Too large resource version", details });
  const { seen, clock } = scripted([listOf("5"), listOf("2")], [{ end: ahead }]);
  await clock.advance(seconds(1));
  expect(seen).toEqual(["listed", "listed"]);
});

test("a server that keeps failing is asked less and less often", async () => {
  const { asked, clock, problems } = scripted(
    [listOf("5")],
    Array.from({ length: 20 }, () => ({ end: reset })),
  );
  await clock.advance(minutes(2));
  expect(problems.slice(0, 8).map((problem) => problem.split(" ")[1])).toEqual(
    [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].map(String),
  );
  expect(asked.length).toBeLessThan(12);
});

test("a watch that ends at once is not opened again without a pause", async () => {
  const { asked, clock } = scripted(
    [listOf("5")],
    Array.from({ length: 100 }, () => ({ end: "end" }) as const),
  );
  await clock.advance(seconds(3));
  expect(asked).toEqual(["list", "watch 5", "watch 5", "watch 5"]);
});

test("a server that cannot be reached is waited for from the beginning", async () => {
  const down = new ConnectionError("down", { mayHaveArrived: false });
  const { seen, clock, problems } = scripted([down, down, listOf("5", widget("a", "1"))], []);
  await clock.advance(seconds(2));
  expect(problems).toEqual(["down: 500", "down: 1000"]);
  expect(seen).toEqual(["listed a"]);
});

test("a refusal is thrown before anything was listed, and outlasted afterwards", async () => {
  const forbidden = new ApiError({ httpCode: 403, reason: "Forbidden", message: "no" });
  await expect(scripted([forbidden], []).done).rejects.toBe(forbidden);
  const { seen, clock } = scripted(
    [listOf("5"), forbidden, listOf("9")],
    [{ end: expired("old") }, { end: "silence" }],
  );
  await clock.advance(seconds(5));
  expect(seen).toEqual(["listed", "listed"]);
});

test("a signal ends it while it waits to try again", async () => {
  const { done, stop, clock } = scripted([new ConnectionError("down", { mayHaveArrived: false })], []);
  await clock.advance(seconds(0));
  stop.abort();
  await done;
  expect(clock.sleepers).toBe(0);
});

test("where the server can, everything comes as the beginning of a watch, which then goes on", async () => {
  const events = [added("a", "3"), added("b", "4"), deleted("a", "6"), initialEnd("6"), added("c", "7")];
  const { seen, asked, clock } = scripted([], [{ events, end: reset }, { end: "silence" }], { streams: true });
  await clock.advance(seconds(1));
  expect(seen).toEqual(["listed b", "changed c"]);
  expect(asked).toEqual(["watch all", "watch 7"]);
});

test("a beginning that breaks off tells nothing and is asked for again", async () => {
  const { seen, asked, clock } = scripted(
    [],
    [
      { events: [added("a", "3")], end: reset },
      { events: [added("b", "4"), initialEnd("5")], end: "silence" },
    ],
    { streams: true },
  );
  await clock.advance(seconds(1));
  expect(seen).toEqual(["listed b"]);
  expect(asked).toEqual(["watch all", "watch all"]);
});

const misunderstandings: Readonly<Record<string, Watch>> = {
  "ends it": { events: [added("a", "3")], end: "end" },
  "tells how far it is instead": { events: [added("a", "3"), bookmark("3")], end: "silence" },
  "says nothing": { end: "silence" },
};

test.each(Object.entries(misunderstandings))(
  "a server that does not understand to tell what is there and %s is asked for a list",
  async (_, watch) => {
    const { seen, asked, clock } = scripted([listOf("5", widget("a", "3"))], [watch], { streams: true });
    await clock.advance(seconds(30));
    expect(seen).toEqual(["listed a"]);
    expect(asked).toEqual(["watch all", "list", "watch 5"]);
  },
);

test("a server whose bookmarks go back was set back, and is listed anew", async () => {
  const { seen, asked, clock } = scripted(
    [listOf("50", widget("a", "40")), listOf("20")],
    [{ events: [bookmark("20")], end: "silence" }],
  );
  await clock.advance(seconds(1));
  expect(seen).toEqual(["listed a", "listed"]);
  expect(asked).toEqual(["list", "watch 50", "list", "watch 20"]);
});

test("who is patient outlasts refusals from the beginning on", async () => {
  const missing = new ApiError({ httpCode: 404, reason: "NotFound", message: "not served" });
  const { seen, clock, problems } = scripted([missing, missing, listOf("5")], [], { patient: true });
  await clock.advance(seconds(2));
  expect(problems).toEqual(["not served: 500", "not served: 1000"]);
  expect(seen).toEqual(["listed"]);
});

test("a collection that is gone is listed anew when it is back", async () => {
  const missing = new ApiError({ httpCode: 404, reason: "NotFound", message: "not served" });
  const { seen, asked, clock } = scripted([listOf("5", widget("a", "3")), missing, listOf("9")], [{ end: missing }]);
  await clock.advance(seconds(2));
  expect(seen).toEqual(["listed a", "listed"]);
  expect(asked).toEqual(["list", "watch 5", "list", "list", "watch 9"]);
});
