import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { Registry } from "prom-client";
import { awaitChange, createLogger, milliseconds, parseTimestamp, systemClock } from "#base";
import { createClient } from "#client";
import { openEmbeddedServer } from "#testkit";
import type { PassRecord } from "../pass/pass-record.ts";
import { defineReconciler } from "../reconciler.ts";
import { aLamp, Lamp, type LampFacts, Lit } from "../test-lamp.ts";
import { type Authorize, serveDiagnostics } from "./diagnostics-server.ts";
import { type Check, serveHealth } from "./health-server.ts";
import { createManager, type ManagerOptions, type Started } from "./manager.ts";
import { reviewAuthorizer } from "./review-authorizer.ts";

const record: PassRecord = {
  reconciler: "lamp",
  key: { namespace: "n", name: "a" },
  reconcileId: "7",
  at: parseTimestamp("2026-01-01T00:00:00Z"),
  took: milliseconds(2),
  outcome: "judged",
  facts: { power: true },
  undeclared: [],
  verdicts: [
    {
      table: "Lamp.Lit",
      type: "Lit",
      row: "lit",
      evidence: {},
      report: { kind: "set", status: "True", reason: "Lit", message: "" },
      next: awaitChange,
    },
  ],
  next: awaitChange,
  errors: [new Error("a line that broke")],
  wrote: [],
};

async function ask(port: number, path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { code: response.status, text: await response.text() };
}

describe("diagnostics", () => {
  const authorize: Authorize = ({ token, path }) =>
    Promise.resolve(
      token === undefined ? "unauthenticated" : token === "joe" && path === "/passes" ? "forbidden" : "allowed",
    );

  async function open(options: { readonly authorize?: Authorize }) {
    const passes = (query: object) => (Object.keys(query).length === 0 ? [] : [record]);
    const server = await serveDiagnostics(
      { host: "127.0.0.1", port: 0, ...options },
      { registry: new Registry(), passes },
    );
    onTestFinished(() => server[Symbol.asyncDispose]());
    return server.port;
  }

  test("are for those who may see them", async () => {
    const port = await open({ authorize });
    expect((await ask(port, "/metrics")).code).toBe(401);
    expect((await ask(port, "/metrics", "joe")).code).toBe(200);
    expect((await ask(port, "/passes?name=a", "joe")).code).toBe(403);
    const { code, text } = await ask(port, "/passes?kind=Lamp&name=a", "root");
    expect([code, JSON.parse(text)]).toEqual([
      200,
      {
        passes: [
          {
            reconciler: "lamp",
            object: "n/a",
            reconcileID: "7",
            at: "2026-01-01T00:00:00Z",
            milliseconds: 2,
            outcome: "judged",
            facts: { power: true },
            decisions: [
              {
                table: "Lamp.Lit",
                type: "Lit",
                row: "lit",
                evidence: {},
                report: { kind: "set", status: "True", reason: "Lit", message: "" },
                next: "none: waits for a change",
              },
            ],
            next: "none: waits for a change",
            errors: ["a line that broke"],
            wrote: [],
          },
        ],
      },
    ]);
    expect((await ask(port, "/other", "root")).code).toBe(404);
  });

  test("show passes to nobody where nobody can be told apart", async () => {
    const port = await open({});
    expect([(await ask(port, "/metrics")).code, (await ask(port, "/passes?name=a")).code]).toEqual([200, 404]);
  });

  test("ask the API server who somebody is and what he may", async () => {
    const asked: object[] = [];
    const answers = (kind: string, status: object) => ({ apiVersion: "v1", kind, metadata: {}, status });
    const review = reviewAuthorizer({
      create: (kind, object) => {
        asked.push(object);
        const status =
          kind.kind === "TokenReview"
            ? { authenticated: JSON.stringify(object).includes("good"), user: { username: "joe", groups: ["people"] } }
            : { allowed: JSON.stringify(object).includes("/metrics") };
        return Promise.resolve(answers(kind.kind, status) as never);
      },
    });
    expect(await review({ path: "/metrics" })).toBe("unauthenticated");
    expect(await review({ path: "/metrics", token: "bad" })).toBe("unauthenticated");
    expect(await review({ path: "/metrics", token: "good" })).toBe("allowed");
    expect(await review({ path: "/passes", token: "good" })).toBe("forbidden");
    expect(asked.at(-1)).toMatchObject({
      spec: { user: "joe", groups: ["people"], nonResourceAttributes: { path: "/passes", verb: "get" } },
    });
  });
});

test("health is asked whole or by name, and a check that fails is not explained", async () => {
  const checks = {
    live: new Map([["ping", () => undefined]]),
    ready: new Map<string, Check>([
      ["ping", () => undefined],
      ["caches", () => Promise.reject(new Error("a secret"))],
    ]),
  };
  const server = await serveHealth({ host: "127.0.0.1", port: 0 }, checks);
  onTestFinished(() => server[Symbol.asyncDispose]());
  expect(await ask(server.port, "/healthz")).toEqual({ code: 200, text: "ok" });
  expect(await ask(server.port, "/readyz")).toEqual({
    code: 500,
    text: "[+]ping ok\n[-]caches failed\nreadyz check failed\n",
  });
  expect((await ask(server.port, "/readyz/ping")).code).toBe(200);
  expect((await ask(server.port, "/nothing")).code).toBe(404);
});

describe("a manager", () => {
  const lamp = defineReconciler<Lamp, LampFacts>({
    name: "lamp",
    kind: Lamp,
    facts: (): LampFacts => ({ power: true }),
    steps: [],
    conditions: [Lit],
  });

  async function managerWith(options: Partial<ManagerOptions> = {}) {
    const server = await openEmbeddedServer({ kinds: [Lamp] });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const client = createClient(server.transport, { fieldOwner: "test" });
    const log = createLogger({
      format: "text",
      level: "error",
      clock: systemClock,
      destination: { write: () => undefined },
    });
    return { client, manager: createManager({ client, log, ...options }).add(lamp, {}) };
  }

  test("serves its health, its numbers and its passes", async () => {
    const local = { host: "127.0.0.1", port: 0 };
    const { client, manager } = await managerWith({
      health: local,
      diagnostics: { ...local, authorize: () => Promise.resolve("allowed") },
    });
    await client.create(Lamp, aLamp("a"));
    const stop = new AbortController();
    let running: Promise<void> | undefined;
    const { healthPort = 0, diagnosticsPort = 0 } = await new Promise<Started>((resolve) => {
      running = manager.run({ signal: stop.signal, onStarted: resolve });
    });
    await manager.controllers[0]?.idle();
    expect((await ask(healthPort, "/readyz")).text).toBe("ok");
    const { text } = await ask(diagnosticsPort, "/metrics");
    for (const line of [
      'controller_runtime_reconcile_total{controller="lamp",result="success"} 2',
      'controller_runtime_max_concurrent_reconciles{controller="lamp"} 1',
      'workqueue_depth{name="lamp",controller="lamp",priority="0"} 0',
      'condition_row_total{kind="Lamp",row="Lit/lit"} 2',
      'capstan_cache_objects{name="Lamp"} 1',
    ])
      expect(text).toContain(line);
    const passes = await ask(diagnosticsPort, "/passes?kind=Lamp&group=test.capstan.dev&name=a");
    expect(JSON.parse(passes.text)).toMatchObject({ passes: [{ object: "default/a", decisions: [{ row: "lit" }] }] });
    stop.abort();
    await running;
  });

  test("warms up before any pass, and stops when that fails or something else does", async () => {
    const order: string[] = [];
    const { client, manager } = await managerWith({ onPass: () => order.push("pass") });
    await client.create(Lamp, aLamp("a"));
    const stop = new AbortController();
    manager.addWarmUp({
      name: "registry",
      warmUp() {
        order.push("warm");
        return Promise.resolve();
      },
    });
    manager.addWarmUp({
      name: "servers",
      leaderOnly: true,
      warmUp() {
        order.push("warm for the leader");
        return Promise.resolve();
      },
    });
    await new Promise<void>((resolve) => {
      void manager.run({ signal: stop.signal, onStarted: () => resolve() });
    });
    await manager.controllers[0]?.idle();
    stop.abort();
    expect(order.slice(0, 2)).toEqual(["warm", "warm for the leader"]);
    expect(order).toContain("pass");

    const failing = (await managerWith()).manager.addWarmUp({
      name: "cold",
      warmUp: () => Promise.reject(new Error("x")),
    });
    await expect(failing.run({ signal: new AbortController().signal })).rejects.toThrow("cold could not be warmed up");
    const broken = (await managerWith()).manager.addRunnable({
      name: "broken",
      run: () => Promise.reject(new Error("x")),
    });
    await expect(broken.run({ signal: new AbortController().signal })).rejects.toThrow("broken failed");
  });

  test("says so where its port is taken, and refuses what comes too late or twice", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once("listening", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { manager } = await managerWith({ health: { host: "127.0.0.1", port } });
    expect(() => manager.add(lamp, {})).toThrow("there is another reconciler called lamp already");
    await expect(manager.run({ signal: new AbortController().signal })).rejects.toThrow(
      "another program listens there already",
    );
    expect(() => manager.add(lamp, {})).toThrow("came too late");
  });
});
