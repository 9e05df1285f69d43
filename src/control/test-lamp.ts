import { createLogger, systemClock } from "#base";
import type { Client } from "#client";
import { defineCondition, False, finds, nothing, otherwise, row, True } from "#conditions";
import { defineKind, type ObjectOf, s } from "#machinery";
import { apiReader } from "./api-reader.ts";
import { conditionsField } from "./conditions-field.ts";
import type { PassTools } from "./pass/run-pass.ts";

/** A kind for tests: a lamp that is lit once it has a cable. */
export const Lamp = defineKind({
  group: "test.capstan.dev",
  version: "v1",
  kind: "Lamp",
  plural: "lamps",
  description: "A lamp.",
  hasStatus: true,
  fields: {
    spec: s.object({ cable: s.string().optional(), watts: s.integer().optional() }).optional(),
    status: s
      .object({
        conditions: conditionsField,
        observedGeneration: s.integer().optional(),
        watts: s.integer().optional(),
        phase: s.string().optional(),
      })
      .optional(),
  },
});
export type Lamp = ObjectOf<typeof Lamp>;

export interface LampFacts {
  readonly cable?: string;
  readonly power: boolean;
}

/** Whether a lamp is lit. */
export const Lit = defineCondition({
  of: "Lamp",
  type: "Lit",
  summary: "Whether a lamp is lit.",
  reasons: ["Lit", "Dark"],
  rows: [
    row({
      id: "dark",
      when: finds("there is no power", ({ cable = "none", power }: LampFacts) => (power ? undefined : { cable })),
      ensure: nothing("somebody has to plug it in"),
      report: (lamp) => False("Dark", `Cable ${lamp.cable} is not plugged in`),
    }),
  ],
  otherwise: otherwise({ id: "lit", when: "there is power", ensure: nothing("all is well"), report: True("Lit") }),
});

export function aLamp(name: string, spec: NonNullable<Lamp["spec"]> = {}): Lamp {
  return { apiVersion: "test.capstan.dev/v1", kind: "Lamp", metadata: { namespace: "default", name }, spec };
}

/** What a pass needs, with nothing special about it. */
export function toolsFor<Ports>(
  client: Client,
  ports: Ports,
  change: Partial<PassTools<Ports>> = {},
): PassTools<Ports> {
  return {
    ports,
    reader: apiReader(client),
    client,
    clock: systemClock,
    log: createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => undefined } }),
    eventsAbout: () => ({ record: () => undefined }),
    watch: () => Promise.resolve(),
    reconcileId: "1",
    signal: new AbortController().signal,
    spelling: "documented",
    ...change,
  };
}
