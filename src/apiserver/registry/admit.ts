import {
  decodeManagers,
  type DeleteOptions,
  type GroupVersionKind,
  InvalidManagedFieldsError,
  type KubeObject,
  type WriteOptions,
} from "#machinery";
import type { AdmissionContext, AdmissionRequest } from "#apiserver/admission";
import { resourceOf } from "#apiserver/resources";
import { type Engine, type Request, subresourceOf } from "./engine.ts";
import { operationOptions } from "./operation-options.ts";
import { isCustom } from "./resources.ts";

/** The write that plugins are asked about. */
export interface Admittance {
  readonly operation: AdmissionRequest["operation"];
  readonly namespace: string;
  readonly name: string;
  readonly oldObject: KubeObject | undefined;
  /** What plugins are shown, where that is not the object itself. */
  readonly extract?: Extract | undefined;
}

/** A part of an object that is written as an object of its own kind: its Scale. */
export interface Extract {
  readonly kind: GroupVersionKind;
  readonly of: (object: KubeObject) => KubeObject;
  /** The object with what became of its extract. */
  readonly into: (object: KubeObject, extract: KubeObject) => KubeObject;
}

type AnyOptions = WriteOptions & DeleteOptions;

/** False where no plugin cares for such a write: then nothing has to be put together, or waited for. */
export function isConcerned(
  engine: Engine,
  { target, options }: Request<AnyOptions>,
  { operation }: Pick<Admittance, "operation">,
): boolean {
  const resource = resourceOf(target.definition, target.version.version);
  return engine.admission.concerns({ operation, resource, subresource: subresourceOf(options) });
}

/** Lets plugins change an object; what they add has its defaults like everything else. */
export async function mutated(
  engine: Engine,
  request: Request<AnyOptions>,
  admittance: Admittance,
  object: KubeObject,
): Promise<KubeObject> {
  if (!isConcerned(engine, request, admittance)) return object;
  const { extract } = admittance;
  const asked = askedAbout(request, admittance, object);
  const shown = asked.object ?? object;
  const changed = await engine.admission.mutate(shown, asked, contextOf(request.options));
  if (changed === shown) return object;
  const whole = extract === undefined ? changed : extract.into(object, changed);
  const { schema } = request.target.version;
  // What a custom resource does not know is dropped when it is stored: until then whoever may refuse it can see it.
  const typed = isCustom(request.target) ? whole : schema.prune(whole);
  return schema.applyDefaults(withReadableOwners(typed, object, request.options));
}

/** Lets plugins refuse a write. */
export async function validated(
  engine: Engine,
  request: Request<AnyOptions>,
  admittance: Admittance,
  object: KubeObject | undefined,
): Promise<void> {
  if (!isConcerned(engine, request, admittance)) return;
  await engine.admission.validate(askedAbout(request, admittance, object), contextOf(request.options));
}

function askedAbout(
  { target, caller, options }: Request<AnyOptions>,
  { extract, ...admittance }: Admittance,
  object: KubeObject | undefined,
): AdmissionRequest {
  const { definition, version } = target;
  const { operation, oldObject } = admittance;
  return {
    ...admittance,
    object: object && extract ? extract.of(object) : object,
    oldObject: oldObject && extract ? extract.of(oldObject) : oldObject,
    kind: extract?.kind ?? { group: definition.group, version: version.version, kind: definition.kind },
    resource: resourceOf(definition, version.version),
    subresource: subresourceOf(options),
    dryRun: options.dryRun === true,
    caller,
    options: () => operationOptions(operation, options),
  };
}

function contextOf({ signal, onWarning }: AnyOptions): AdmissionContext {
  return { ...(signal === undefined ? {} : { signal }), warn: (text) => onWarning?.(text) };
}

/** A plugin that writes nonsense into the account of owners is not followed there. */
function withReadableOwners(changed: KubeObject, before: KubeObject, { onWarning }: AnyOptions): KubeObject {
  const { managedFields = [], ...metadata } = changed.metadata;
  if (managedFields === before.metadata.managedFields) return changed;
  try {
    decodeManagers(managedFields);
    return changed;
  } catch (error) {
    if (!(error instanceof InvalidManagedFieldsError)) throw error;
    const blame = "this could be caused by an outdated mutating admission controller; please fix your requests";
    onWarning?.(`.metadata.managedFields was in an invalid state after admission; ${blame}: ${error.message}`);
    const { managedFields: known } = before.metadata;
    return { ...changed, metadata: known === undefined ? metadata : { ...metadata, managedFields: known } };
  }
}
