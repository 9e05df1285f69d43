import { describe, expect, test, type TestContext } from "vitest";
import { ExtensionConfig } from "#api";
import { createLogger, type Duration, milliseconds, minutes, seconds, systemClock } from "#base";
import { createManager, type Manager, type PassRecord } from "#control";
import { BeforeClusterDelete, createExtension, type ExtensionClient, proceed } from "#extensions";
import { openPlane, type Plane as Server, recordPasses } from "#testkit";
import { aConfig, addExtensions, clientOn, counting } from "./extension-world.ts";

const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => true } });
const extension = createExtension({ log }).on(BeforeClusterDelete, "guard", () => proceed);
const cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "c1", namespace: "default" },
  spec: {},
} as const;

interface RunningManager {
  readonly manager: Manager;
  readonly extensions: ExtensionClient;
  readonly answered: () => Promise<void>;
  /** What it wrote to ExtensionConfigs. */
  readonly writes: readonly string[];
  readonly stop: () => Promise<void>;
}

/** A server with managers that come and go. */
class Plane implements AsyncDisposable {
  readonly #server: Server;
  readonly #managers: RunningManager[] = [];
  readonly #passes: { readonly fieldOwner: string; readonly record: PassRecord }[] = [];
  readonly #recordRows: (record: PassRecord) => void;

  constructor(t: TestContext, server: Server) {
    this.#server = server;
    this.#recordRows = recordPasses(t.task);
  }

  get client() {
    return clientOn(this.#server.transport, "somebody");
  }

  async start(fieldOwner: string, { readOnly }: { readonly readOnly: boolean }): Promise<RunningManager> {
    const { clock } = this.#server;
    const { transport, writes } = counting(this.#server.transport);
    const client = clientOn(transport, fieldOwner);
    const onPass = (record: PassRecord) => {
      this.#passes.push({ fieldOwner, record });
      this.#recordRows(record);
    };
    const manager = createManager({ client, log, clock, onPass });
    const { extensions, answered } = addExtensions(manager, { clock, client, readOnly });
    const end = new AbortController();
    let running: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve) => {
      running = manager.run({ signal: end.signal, onStarted: () => resolve() });
    });
    const started = {
      manager,
      extensions,
      answered,
      writes,
      stop: async () => {
        end.abort();
        await running;
        extensions.close();
      },
    };
    this.#managers.push(started);
    return started;
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 5; round++) {
      await this.#server.settle();
      for (const { manager, answered } of this.#managers) {
        await answered();
        await manager.caches.caughtUp();
        await Promise.all(manager.controllers.map((controller) => controller.idle()));
      }
    }
  }

  async advance(duration: Duration): Promise<void> {
    const { clock } = this.#server;
    const end = clock.elapsed() + duration;
    await this.settle();
    while (clock.elapsed() < end) {
      const left = end - clock.elapsed();
      await clock.advance(milliseconds(Math.min(left, Math.max(1, clock.untilNextWake ?? left))));
      await this.settle();
    }
  }

  async discovered(name: string) {
    const { status } = await this.client.get(ExtensionConfig, { name });
    const found = status?.conditions?.find(({ type }) => type === "Discovered");
    return found === undefined ? undefined : { status: found.status, message: found.message };
  }

  /** The rows that judged the passes of a manager, the first one first. */
  rows(fieldOwner: string): readonly string[] {
    return this.#passes
      .filter((pass) => pass.fieldOwner === fieldOwner)
      .flatMap(({ record }) => record.verdicts.filter(({ type }) => type === "Discovered").map(({ row }) => row));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { stop } of this.#managers) await stop();
    await this.#server[Symbol.asyncDispose]();
  }
}

async function aPlane(t: TestContext): Promise<Plane> {
  return new Plane(t, await openPlane({ kinds: [ExtensionConfig] }));
}

const inDefault = { namespace: "default", name: "c1" };

describe("a manager that starts", () => {
  test("knows all extensions before anybody calls them", async (t) => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    await using plane = await aPlane(t);
    await plane.client.create(ExtensionConfig, aConfig("ext", { url: server.url, caBundle: server.caBundle }));
    const { extensions } = await plane.start("manager", { readOnly: false });
    await plane.advance(seconds(10));
    expect(extensions.isReady()).toBe(true);
    expect(await extensions.handlersFor(BeforeClusterDelete, inDefault)).toEqual(["guard.ext"]);
  });

  test("is not kept down by an extension that is, and takes it in when it comes up", async (t) => {
    await using well = await extension.listen({ host: "127.0.0.1" });
    const gone = await extension.listen({ host: "127.0.0.1" });
    await gone.close();
    await using plane = await aPlane(t);
    await plane.client.create(ExtensionConfig, aConfig("well", { url: well.url, caBundle: well.caBundle }));
    await plane.client.create(ExtensionConfig, aConfig("down", { url: gone.url, caBundle: gone.caBundle }));
    const { extensions } = await plane.start("manager", { readOnly: false });
    await plane.advance(seconds(30));
    expect(extensions.isReady()).toBe(false);
    expect(new Set(plane.rows("manager"))).toEqual(new Set(["registry-cold-keep"]));
    await plane.advance(seconds(40));
    expect(extensions.isReady()).toBe(true);
    expect(await extensions.call(BeforeClusterDelete, "guard.well", { cluster })).toEqual(proceed);
    expect(await plane.discovered("down")).toMatchObject({ status: "False" });

    const tls = await extension.listen({ host: "127.0.0.1", port: gone.port });
    await plane.client.patch(
      ExtensionConfig,
      { name: "down" },
      { kind: "merge", patch: { spec: { clientConfig: { caBundle: tls.caBundle } } } },
    );
    await plane.advance(minutes(2));
    expect(await plane.discovered("down")).toEqual({ status: "True", message: "" });
    expect(await extensions.call(BeforeClusterDelete, "guard.down", { cluster })).toEqual(proceed);
    await tls.close();
  });
});

describe("a manager that only reads", () => {
  test("takes over what a writing one has found out, and for an hour the two do not fight", async (t) => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    await using plane = await aPlane(t);
    await plane.client.create(ExtensionConfig, aConfig("ext", { url: server.url, caBundle: server.caBundle }));
    const reading = await plane.start("reader", { readOnly: true });
    const writing = await plane.start("writer", { readOnly: false });
    await plane.advance(minutes(2));
    expect(await plane.discovered("ext")).toEqual({ status: "True", message: "" });
    expect(await reading.extensions.call(BeforeClusterDelete, "guard.ext", { cluster })).toEqual(proceed);
    expect(plane.rows("reader").at(-1)).toBe("taken-over");
    const before = [reading.writes.length, writing.writes.length];
    await plane.advance(minutes(60));
    expect([reading.writes.length, writing.writes.length]).toEqual(before);
    expect(await plane.discovered("ext")).toEqual({ status: "True", message: "" });
  });

  test("leaves the condition to the writing one even where it thinks otherwise", async (t) => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    await using plane = await aPlane(t);
    // Without an authority of its own the extension cannot be used by a reading manager, whatever the writing one says.
    await plane.client.create(ExtensionConfig, aConfig("ext", { url: server.url }));
    const writing = await plane.start("writer", { readOnly: false });
    await plane.advance(minutes(2));
    const said = await plane.discovered("ext");
    expect(said?.message).toContain("certificate signed by unknown authority");
    const reading = await plane.start("reader", { readOnly: true });
    await plane.advance(minutes(2));
    const before = [reading.writes.length, writing.writes.length];
    await plane.advance(minutes(60));
    expect(await plane.discovered("ext")).toEqual(said);
    // It asks whether it may, each time that it looks; the server answers that the condition is another's.
    expect(writing.writes).toHaveLength(before[1] ?? 0);
    expect(reading.writes.length - (before[0] ?? 0)).toBeLessThan(20);
  });

  test("reports what it sees where nobody else does", async (t) => {
    await using plane = await aPlane(t);
    await plane.client.create(ExtensionConfig, aConfig("ext", { url: "https://nobody.example.com" }));
    const reading = await plane.start("reader", { readOnly: true });
    await plane.advance(minutes(2));
    expect(await plane.discovered("ext")).toEqual({
      status: "False",
      message: "Error in discovery: caBundle is not set on ExtensionConfig ext",
    });
    expect(plane.rows("reader").at(-1)).toBe("invalid");
    const { length } = reading.writes;
    await plane.advance(minutes(60));
    expect(reading.writes).toHaveLength(length);
  });
});
