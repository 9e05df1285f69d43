import { createLogger, milliseconds, systemClock } from "#base";
import { noPaint } from "#cli";
import { createClient } from "#client";
import { createManager } from "#control";
import { openEmbeddedServer } from "#testkit";
import { Machine } from "#api";
import { expect, test } from "vitest";
import { DemoError } from "../errors.ts";
import { createStage } from "./stage.ts";

test("a promise that is not kept in time ends the demo, and says how it was instead", async () => {
  await using embedded = await openEmbeddedServer({ kinds: [Machine] });
  const client = createClient(embedded.transport, { fieldOwner: "demo" });
  const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => {} } });
  const stage = createStage({
    client,
    manager: createManager({ client, log }),
    write: () => undefined,
    paint: noPaint,
    clock: systemClock,
    signal: new AbortController().signal,
    patience: milliseconds(50),
  });
  await expect(stage.until(Machine, "m1", { type: "Ready", status: "True" })).rejects.toThrow(
    new DemoError("Machine m1 was to report Ready=True, but it was never there"),
  );
});
