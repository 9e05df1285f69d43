import type { ClusterClass } from "#api";
import { aggregate, CapstanError, describeError } from "#base";
import { adopt, getExternal, type ObjectReader, ownerReferenceTo, updateReferenceApiContract } from "#contract";
import { defineStep } from "#control";
import { describeKind, isNotFound, kindOf, type KubeObject } from "#machinery";
import { TemplateReferenceError } from "./errors.ts";
import type { ClassFacts, OutdatedReference, ReferenceFacts } from "./facts.ts";
import { classesNaming, type TemplateReference, templateReferences } from "./template-references.ts";

/** Makes the templates of a class its own, and finds out whether they are named in the right version. */
export const followTemplates = defineStep<ClusterClass, ClassFacts>({
  name: "follow-templates",
  text: "own every template that the class names and compare its version with the contract's",
  learns: ["references"],

  async observe({ object, reader, signal }) {
    return { references: await lookAt(templateReferences(object), reader, { signal }) };
  },

  async run({ object, reader, client, watch, facts, learn, signal }) {
    const owner = ownerReferenceTo(object, { controller: false });
    const failures = new Set(facts.references.kind === "failed" ? facts.references.errors : []);
    for (const reference of templateReferences(object)) {
      try {
        const template = await findTemplate(reference, reader, { signal });
        // One that is not there yet wakes the class when it comes.
        await watch(kindOf(reference), classesNaming, { metadataOnly: true });
        if (template !== undefined) await adopt(client, template, { owner, labels: {} });
      } catch (error) {
        if (!(error instanceof CapstanError)) throw error;
        failures.add(describeError(error));
      }
    }
    if (failures.size === 0) return;
    learn({ references: { kind: "failed", errors: [...failures] } });
    throw aggregate([...failures].map((text) => new TemplateReferenceError(text)));
  },
});

interface Looking {
  readonly signal: AbortSignal;
}

/** Reads all templates and the versions that the contract asks for. */
async function lookAt(
  references: readonly TemplateReference[],
  reader: ObjectReader,
  looking: Looking,
): Promise<ReferenceFacts> {
  const outdated: OutdatedReference[] = [];
  const errors: string[] = [];
  for (const reference of references) {
    try {
      const template = await findTemplate(reference, reader, looking, (error) => errors.push(describeError(error)));
      if (template !== undefined) outdated.push(...(await outdatedAs(reference, reader, looking)));
    } catch (error) {
      if (!(error instanceof CapstanError)) throw error;
      errors.push(describeError(error));
    }
  }
  return errors.length > 0 ? { kind: "failed", errors } : { kind: "followed", outdated };
}

/** The template; undefined where there is none, which is told. */
async function findTemplate(
  reference: TemplateReference,
  reader: ObjectReader,
  { signal }: Looking,
  onMissing: (error: TemplateReferenceError) => void = () => {},
): Promise<KubeObject | undefined> {
  const { name, namespace } = reference;
  const place = `refGroupVersionKind: ${describeKind(kindOf(reference))}, refName: ${name}, refNamespace: ${namespace}`;
  const failed = (what: string, cause: unknown): TemplateReferenceError =>
    new TemplateReferenceError(`${what} external object for the ClusterClass. ${place}`, { cause });
  try {
    return await getExternal(reader, reference, { signal });
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    if (!isNotFound(error)) throw failed("failed to get the", error);
    onMissing(failed("Could not find", error));
    return undefined;
  }
}

async function outdatedAs(
  reference: TemplateReference,
  reader: ObjectReader,
  { signal }: Looking,
): Promise<readonly OutdatedReference[]> {
  const latest = await updateReferenceApiContract(reader, reference, { signal });
  if (latest.apiVersion === reference.apiVersion) return [];
  const { kind, name } = reference;
  return [{ kind, name, current: kindOf(reference).version, latest: kindOf(latest).version }];
}
