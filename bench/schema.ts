import { readFileSync } from "node:fs";
import { compileSchema, type Json, type JsonSchema } from "#machinery";

const folder = "test/fixtures/schema";
const budget = 20;

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: JsonSchema };
    }[];
  };
}

/** What a write of a Machine costs in schema work when there is nothing to change; the budget is 20 µs. */
export async function bench(print: (line: object) => void): Promise<void> {
  const text = readFileSync(`${folder}/machine.json`, "utf8");
  const definition: Definition = JSON.parse(readFileSync(`${folder}/machines-definition.json`, "utf8"));
  const stored = definition.spec.versions.find(({ storage }) => storage);
  if (stored === undefined) throw new Error("the definition of Machine has no storage version");
  const schema = compileSchema(stored.schema.openAPIV3Schema);
  const compact = JSON.stringify(JSON.parse(text));
  // Many objects with names of their own, so that nothing is fast only because it was seen a moment ago.
  const machines = Array.from({ length: 500 }, (_, index): Json =>
    JSON.parse(compact.replaceAll("9qv4d", `m${index}`)),
  );
  const bytes = compact.length;
  const pieces = {
    prune: (machine: Json) => schema.prune(machine),
    applyDefaults: (machine: Json) => schema.applyDefaults(machine),
    validate: (machine: Json) => schema.validate(machine),
    "prune, applyDefaults and validate": (machine: Json) =>
      schema.validate(schema.applyDefaults(schema.prune(machine))),
    "JSON.parse, to compare": (): Json => JSON.parse(compact),
  };
  for (const [name, run] of Object.entries(pieces)) {
    print({ bench: "schema", what: name, bytes, microseconds: microsecondsOf(machines, run), budget });
  }
}

/** The best of many rounds: what the work costs, not what else the machine was doing. */
function microsecondsOf(machines: readonly Json[], run: (machine: Json) => unknown): number {
  const rounds = Array.from({ length: 60 }, () => {
    const start = performance.now();
    for (const machine of machines) run(machine);
    return performance.now() - start;
  });
  return Math.round((Math.min(...rounds) / machines.length) * 1e5) / 100;
}
