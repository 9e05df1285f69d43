import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeClock, createLogger, type FakeClock, parseTimestamp, seconds } from "#base";
import { createClient } from "#client";
import { openEmbeddedServer } from "#testkit";
import { acquireLeadership, type ElectionTools, type Leadership } from "./leader-election.ts";

const leases = { group: "coordination.k8s.io", version: "v1", kind: "Lease" };
const key = { namespace: "default", name: "core" };

async function scene() {
  const server = await openEmbeddedServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const clock: FakeClock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const client = createClient(server.transport);
  const lines: string[] = [];
  const log = createLogger({
    format: "text",
    level: "warn",
    clock,
    destination: { write: (line) => lines.push(line) },
  });
  let isCut = new Set<string>();
  let isUnanswered = false;
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  /** One who wants to lead, and whom a test can cut off from the server. */
  const candidate = (identity: string) => {
    const reach = <T>(call: () => Promise<T>): Promise<T> =>
      isCut.has(identity) ? Promise.reject(new Error("unreachable")) : call();
    const tools: ElectionTools = {
      client: {
        get: (kind, at, options) => reach(() => client.get(kind, at, options)),
        create: (kind, object, options) => reach(() => client.create(kind, object, options)),
        async update(kind, object, options) {
          const written = await reach(() => client.update(kind, object, options));
          if (isUnanswered) await never(options?.signal);
          return written;
        },
      },
      clock,
      random: () => 0,
      log,
    };
    let leadership: Leadership | undefined;
    const acquired = acquireLeadership({ ...key, identity }, tools, { signal: stop.signal }).then(
      (got) => {
        leadership = got;
        onTestFinished(() => got.release());
        return got;
      },
      () => undefined,
    );
    return { acquired, leads: () => leadership !== undefined && !leadership.lost.aborted };
  };
  const advance = async (count: number) => {
    for (let step = 0; step < count * 10; step++) {
      await clock.advance(seconds(0.1));
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const cut = (...names: string[]) => (isCut = new Set(names));
  /** What is written is carried out, and nobody hears of it. */
  const loseAnswers = (isSo: boolean) => (isUnanswered = isSo);
  return { clock, client, candidate, advance, lines, cut, loseAnswers };
}

function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

describe("an election", () => {
  test("is won by whoever finds no lease, and kept by saying so every two seconds", async () => {
    const { client, candidate, advance } = await scene();
    const a = candidate("a");
    await a.acquired;
    const b = candidate("b");
    await advance(60);
    expect([a.leads(), b.leads()]).toEqual([true, false]);
    expect(await client.get(leases, key)).toMatchObject({
      spec: {
        holderIdentity: "a",
        leaseDurationSeconds: 15,
        acquireTime: "2026-01-01T00:00:00.000000Z",
        leaseTransitions: 0,
      },
    });
  });

  test("is won by another 15 s after the leader's last word, and he has stopped 10 s after it", async () => {
    const { client, candidate, advance, cut } = await scene();
    const a = candidate("a");
    const leadership = await a.acquired;
    const b = candidate("b");
    await advance(1);
    cut("a");
    await advance(8);
    leadership?.check();
    expect(a.leads()).toBe(true);
    await advance(1);
    expect(() => leadership?.check()).toThrow("Lease default/core could not be renewed for 10s");
    expect([a.leads(), b.leads()]).toEqual([false, false]);
    await advance(4);
    expect(b.leads()).toBe(false);
    await advance(3);
    expect(b.leads()).toBe(true);
    expect(await client.get(leases, key)).toMatchObject({ spec: { holderIdentity: "b", leaseTransitions: 1 } });
  });

  test("is over for a leader whose process was held up, before his own timers tell him", async () => {
    const { candidate, clock, cut } = await scene();
    const leadership = await candidate("a").acquired;
    cut("a");
    // Time has passed for everybody but his timers.
    const elapsed = clock.elapsed.bind(clock);
    Object.assign(clock, { elapsed: () => elapsed() + seconds(10) });
    expect(() => leadership?.check()).toThrow("could not be renewed");
    expect(leadership?.lost.aborted).toBe(true);
  });

  test("is over for a leader whose machine slept, although its own clock stood still", async () => {
    const { candidate, clock, cut } = await scene();
    const leadership = await candidate("a").acquired;
    cut("a");
    const instant = clock.instant.bind(clock);
    let slept = seconds(9);
    Object.assign(clock, { instant: () => instant() + slept });
    leadership?.check();
    slept = seconds(10);
    expect(() => leadership?.check()).toThrow("could not be renewed");
    expect(leadership?.lost.aborted).toBe(true);
  });

  test("is not resumed by a leader whose machine slept while others led and left", async () => {
    const { client, candidate, clock, advance } = await scene();
    const a = candidate("a");
    await a.acquired;
    const lease = await client.get(leases, key);
    await client.update(leases, {
      ...lease,
      spec: { holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 1 },
    });
    const instant = clock.instant.bind(clock);
    Object.assign(clock, { instant: () => instant() + seconds(3600) });
    await advance(3);
    expect(a.leads()).toBe(false);
    expect(await client.get(leases, key)).toMatchObject({ spec: { holderIdentity: "" } });
  });

  test("lasts no longer because the time of day was set back", async () => {
    const { candidate, clock, cut, advance } = await scene();
    const leadership = await candidate("a").acquired;
    cut("a");
    const instant = clock.instant.bind(clock);
    Object.assign(clock, { instant: () => instant() - seconds(3600) });
    leadership?.check();
    await advance(10);
    expect(() => leadership?.check()).toThrow("could not be renewed");
  });

  test("is handed over at once by a leader who leaves", async () => {
    const { client, candidate, advance } = await scene();
    const leadership = await candidate("a").acquired;
    const b = candidate("b");
    await advance(1);
    await leadership?.release();
    expect(await client.get(leases, key)).toMatchObject({ spec: { holderIdentity: "", leaseDurationSeconds: 1 } });
    expect(() => leadership?.check()).toThrow("was handed over");
    await advance(3);
    expect(b.leads()).toBe(true);
  });

  test("is handed over by a leader who leaves before he hears that he has renewed", async () => {
    const { client, candidate, advance, lines, loseAnswers } = await scene();
    const leadership = await candidate("a").acquired;
    loseAnswers(true);
    await advance(3);
    loseAnswers(false);
    await leadership?.release();
    expect(await client.get(leases, key)).toMatchObject({ spec: { holderIdentity: "" } });
    expect(lines).toEqual([]);
  });

  test("goes on when the server cannot be reached for a while", async () => {
    const { candidate, advance, cut, lines } = await scene();
    const a = candidate("a");
    await a.acquired;
    cut("a");
    await advance(7);
    cut();
    await advance(20);
    expect(a.leads()).toBe(true);
    expect(lines.join("")).toContain("unreachable");
  });
});
