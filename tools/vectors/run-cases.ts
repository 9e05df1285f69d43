import { CapstanError, describeError } from "#base";
import type { Adapter, Adapters } from "./adapters/adapter.ts";
import { compare, type Difference } from "./compare.ts";
import { type Form, type FormName, formsOf } from "./forms.ts";
import { rulesFor, whyNotBinding } from "./rules.ts";
import type { VectorCase, VectorFile } from "./vector-file.ts";

/** How a case ended. */
export type Outcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly form: FormName; readonly differences: readonly Difference[] }
  | { readonly kind: "does-not-bind"; readonly why: string }
  | { readonly kind: "no-adapter" };

/** Runs every case of a file through its adapter. */
export async function runCases(
  file: VectorFile,
  adapters: Adapters = {},
): Promise<readonly (readonly [VectorCase, Outcome])[]> {
  const outcomes: [VectorCase, Outcome][] = [];
  for (const vector of file.cases) outcomes.push([vector, await runCase(file, vector, adapters)]);
  return outcomes;
}

/** Runs one case in each form that binds. */
export async function runCase(file: VectorFile, vector: VectorCase, adapters: Adapters): Promise<Outcome> {
  const adapter = Object.hasOwn(adapters, vector.op) ? adapters[vector.op] : adapters["*"];
  if (adapter === undefined) return { kind: "no-adapter" };
  for (const form of formsOf(file, vector)) {
    const differences = await differencesOf(file, vector, { form, adapter });
    if (differences.length === 0) continue;
    const why = whyNotBinding(file, vector);
    return why === undefined ? { kind: "failed", form: form.name, differences } : { kind: "does-not-bind", why };
  }
  return { kind: "passed" };
}

async function differencesOf(
  file: VectorFile,
  vector: VectorCase,
  { form, adapter }: { readonly form: Form; readonly adapter: Adapter },
): Promise<readonly Difference[]> {
  const context = { case: vector, form: form.name, ...(file.now === undefined ? {} : { now: file.now }) };
  try {
    const actual = await adapter(structuredClone(form.input), context);
    return compare(form.expected, actual, rulesFor(file, vector));
  } catch (error) {
    // Only an error thrown on purpose can be the expected one; a TypeError is a crash whatever was expected.
    if (error instanceof CapstanError || error instanceof AggregateError)
      return compare(form.expected, { error: describeError(error) }, rulesFor(file, vector));
    const crash = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [{ path: "(crashed)", expected: form.expected, actual: crash }];
  }
}
