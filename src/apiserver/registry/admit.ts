import type { KubeObject, WriteOptions } from "#machinery";
import type { AdmissionContext, AdmissionRequest } from "#apiserver/admission";
import { resourceOf } from "#apiserver/resources";
import { type Engine, type Request, subresourceOf } from "./engine.ts";

/** The write that plugins are asked about. */
export interface Admittance {
  readonly operation: AdmissionRequest["operation"];
  readonly namespace: string;
  readonly name: string;
  readonly oldObject: KubeObject | undefined;
}

/** False where no plugin cares for such a write: then nothing has to be put together, or waited for. */
export function isConcerned(
  engine: Engine,
  { target, options }: Request<WriteOptions>,
  { operation }: Pick<Admittance, "operation">,
): boolean {
  const resource = resourceOf(target.definition, target.version.version);
  return engine.admission.concerns({ operation, resource, subresource: subresourceOf(options) });
}

/** Lets plugins change an object; what they add is pruned and defaulted like everything else. */
export async function mutated(
  engine: Engine,
  request: Request<WriteOptions>,
  admittance: Admittance,
  object: KubeObject,
): Promise<KubeObject> {
  if (!isConcerned(engine, request, admittance)) return object;
  const { schema } = request.target.version;
  const changed = await engine.admission.mutate(object, asked(request, admittance, object), contextOf(request.options));
  return changed === object ? object : schema.applyDefaults(schema.prune(changed));
}

/** Lets plugins refuse a write. */
export async function validated(
  engine: Engine,
  request: Request<WriteOptions>,
  admittance: Admittance,
  object: KubeObject | undefined,
): Promise<void> {
  if (!isConcerned(engine, request, admittance)) return;
  await engine.admission.validate(asked(request, admittance, object), contextOf(request.options));
}

function asked(
  { target, caller, options }: Request<WriteOptions>,
  admittance: Admittance,
  object: KubeObject | undefined,
): AdmissionRequest {
  const { definition, version } = target;
  return {
    ...admittance,
    object,
    kind: { group: definition.group, version: version.version, kind: definition.kind },
    resource: resourceOf(definition, version.version),
    subresource: subresourceOf(options),
    dryRun: options.dryRun === true,
    caller,
  };
}

function contextOf({ signal, onWarning }: WriteOptions): AdmissionContext {
  return { ...(signal === undefined ? {} : { signal }), warn: (text) => onWarning?.(text) };
}
