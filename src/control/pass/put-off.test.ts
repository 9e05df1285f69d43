import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { awaitChange, seconds } from "#base";
import { type Client, createClient } from "#client";
import { type EmbeddedServer, openEmbeddedServer } from "#testkit";
import { defineReconciler } from "../reconciler.ts";
import { aLamp, Lamp, type LampFacts, Lit, toolsFor } from "../test-lamp.ts";
import { runPass } from "./run-pass.ts";
import { defineStep } from "./step.ts";

interface Ports {
  readonly grid: boolean;
}

const plug = defineStep<Lamp, LampFacts, Ports>({
  name: "plug",
  text: "look whether there is power",
  learns: ["power"],
  run({ object, status, ports, learn }) {
    learn({ power: ports.grid });
    if (object.spec?.watts !== undefined) status.watts = object.spec.watts;
  },
});

const tell = defineStep<Lamp, LampFacts, Ports>({
  name: "tell",
  text: "tell an Event",
  run: ({ events }) => events.record("Normal", "Looked", "somebody looked"),
});

const declaration = {
  name: "lamp",
  kind: Lamp,
  facts: (): LampFacts => ({ power: false }),
  steps: [plug],
  conditions: [Lit],
};

let server: EmbeddedServer;
let client: Client;
beforeAll(async () => {
  server = await openEmbeddedServer({ kinds: [Lamp] });
  client = createClient(server.transport, { fieldOwner: "test" });
});
afterAll(() => server[Symbol.asyncDispose]());

const patience = seconds(2);
let count = 0;

async function scene({
  watts,
  ...change
}: Partial<typeof declaration> & { bookkeeping?: string[]; watts?: number } = {}) {
  const { clock } = server;
  const key = { namespace: "default", name: `lamp-${++count}` };
  await client.create(Lamp, aLamp(key.name, watts === undefined ? {} : { watts }));
  const reconciler = defineReconciler<Lamp, LampFacts, Ports>({ ...declaration, ...change });
  return {
    pass: (grid: boolean, tools: { patience?: typeof patience } = { patience }) =>
      runPass(reconciler, key, toolsFor(client, { grid }, { clock, ...tools })),
    status: async () => (await client.get(Lamp, key)).status,
  };
}

describe("a pass with patience", () => {
  test("puts off what only explains, until its patience ends", async () => {
    const { pass, status } = await scene();
    expect(await pass(false)).toMatchObject({ outcome: "judged", putOff: true, wrote: [], next: { after: patience } });
    expect(await status()).toBeUndefined();
    expect(await pass(false, {})).toMatchObject({ wrote: ["status"], next: awaitChange });
    expect(await pass(false)).toMatchObject({ wrote: [], next: awaitChange });
  });

  test("writes at once what becomes True, and what ceases to be", async () => {
    const { pass } = await scene();
    await pass(false, {});
    expect(await pass(true)).toMatchObject({ wrote: ["status"] });
    expect(await pass(false)).toMatchObject({ wrote: ["status"] });
  });

  test("writes at once what was told as an Event", async () => {
    const { pass } = await scene({ steps: [plug, tell] });
    expect(await pass(false)).toMatchObject({ wrote: ["status"] });
  });

  test("writes fields at once, unless they are bookkeeping", async () => {
    const { pass } = await scene({ watts: 40 });
    expect(await pass(false)).toMatchObject({ wrote: ["status"] });
    const counting = await scene({ watts: 40, bookkeeping: ["watts"] });
    expect(await counting.pass(false)).toMatchObject({ wrote: [], putOff: true });
  });
});
