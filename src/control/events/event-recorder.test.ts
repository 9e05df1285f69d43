import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeClock, createLogger, minutes, parseTimestamp } from "#base";
import { type Client, createClient } from "#client";
import { openEmbeddedServer } from "#testkit";
import { aLamp } from "../test-lamp.ts";
import { createEventRecorder } from "./event-recorder.ts";

const Event = { group: "", version: "v1", kind: "Event" };

async function scene(change: (client: Client) => Pick<Client, "create" | "patch"> = (client) => client) {
  const server = await openEmbeddedServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const client = createClient(server.transport);
  const lines: string[] = [];
  const log = createLogger({
    format: "text",
    level: "warn",
    clock,
    destination: { write: (line) => lines.push(line) },
  });
  const recorder = createEventRecorder({ client: change(client), clock, log });
  const events = async () => (await client.list(Event, { namespace: "default" })).items;
  return { recorder, client, clock, events, lines };
}

describe("a recorder", () => {
  test("writes an Event about an object, counts in it, and writes another one when it has expired", async () => {
    const { recorder, client, events } = await scene();
    const sink = recorder.about(aLamp("a"), "lamp-controller");
    sink.record("Normal", "Lit", "The lamp is lit");
    sink.record("Normal", "Lit", "The lamp is lit");
    await recorder.flushed();
    const [event] = await events();
    expect(event).toMatchObject({
      type: "Normal",
      reason: "Lit",
      message: "The lamp is lit",
      count: 2,
      source: { component: "lamp-controller" },
      involvedObject: { apiVersion: "test.capstan.dev/v1", kind: "Lamp", namespace: "default", name: "a" },
      firstTimestamp: "2026-01-01T00:00:00Z",
    });
    expect(event?.metadata.name).toMatch(/^a\.[0-9a-f]{16}$/);
    await client.deleteAll(Event, { namespace: "default" });
    sink.record("Normal", "Lit", "The lamp is lit");
    await recorder.flushed();
    expect(await events()).toMatchObject([{ count: 3 }]);
  });

  test("tries again while the server does not answer, and holds nobody up", async () => {
    let failures = 3;
    const { recorder, clock, events } = await scene((client) => ({
      patch: (...rest: Parameters<Client["patch"]>) => client.patch(...rest) as never,
      create: (...rest: Parameters<Client["create"]>) =>
        (failures-- > 0 ? Promise.reject(new Error("unreachable")) : client.create(...rest)) as never,
    }));
    recorder.about(aLamp("a"), "lamp").record("Warning", "Dark", "The lamp is dark");
    await clock.advance(minutes(1));
    await recorder.flushed();
    expect(await events()).toHaveLength(1);
  });

  test("gives up when it stops, or when the server refuses", async () => {
    const { recorder, lines, events } = await scene(() => ({
      patch: () => Promise.reject(new Error("unreachable")),
      create: () => Promise.reject(new Error("unreachable")),
    }));
    for (let index = 0; index < 5; index++)
      recorder.about(aLamp(`a${index}`), "lamp").record("Normal", "Lit", "It is lit");
    await recorder[Symbol.asyncDispose]();
    expect(await events()).toEqual([]);
    expect(lines.join("")).toContain("an event could not be written");
    const refused = await scene();
    refused.recorder
      .about({ ...aLamp("b"), metadata: { namespace: "nowhere", name: "b" } }, "x")
      .record("Normal", "A", "b");
    await refused.recorder.flushed();
    expect(refused.lines.join("")).toContain("nowhere");
  });
});
