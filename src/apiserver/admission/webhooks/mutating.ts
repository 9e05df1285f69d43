import { quote } from "#base";
import { deepEqual, internalError, type KubeObject } from "#machinery";
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { askHook, type HookCaller } from "./ask-hook.ts";
import type { ConcernedHooks } from "./concerned-hooks.ts";
import { guiseOf, type Surroundings } from "./concern.ts";
import type { Hook } from "./hook.ts";
import { operationsIn, patched } from "./hook-patch.ts";
import { type Guise, VersionedRequest } from "./versions.ts";

export interface WebhookParts extends Surroundings, HookCaller {}

/** Asks webhooks that may change objects, one after the other. */
export function mutatingWebhooks(hooks: ConcernedHooks, parts: WebhookParts): AdmissionPlugin {
  return {
    name: "MutatingAdmissionWebhook",
    handles: (request) => hooks.concernedBy(request).length > 0,
    async mutate(object, request, context) {
      const changed = await run(request, context);
      return changed ?? object;
    },
    // A delete has no object to change, but can be refused.
    async validate(request, context) {
      if (request.operation === "DELETE") await run(request, context);
    },
  };

  async function run(request: AdmissionRequest, context: AdmissionContext): Promise<KubeObject | undefined> {
    const versioned = new VersionedRequest(request, parts.versions);
    const concerned = hooks.concernedBy(request);
    const reinvocation = new Reinvocation();
    await round(concerned);
    // Once is enough: whoever changes things again is not asked for ever.
    if (reinvocation.isNeeded) await round(concerned.filter((hook) => reinvocation.mayConcern(hook)));
    const { object } = await versioned.in(request);
    return object;

    async function round(hooksInTurn: readonly Hook[]): Promise<void> {
      const isAgain = reinvocation.isNeeded;
      for (const hook of hooksInTurn) {
        const guise = await guiseOf(hook, versioned, parts);
        if (guise === undefined || (isAgain && !reinvocation.wants(hook))) continue;
        const changed = await change(hook, guise, versioned, context);
        if (changed !== undefined) {
          versioned.replace(changed);
          reinvocation.noteChange();
        }
        reinvocation.noteCall(hook);
      }
    }
  }

  /** What a webhook makes of the object; nothing where it leaves it as it is. */
  async function change(
    hook: Hook,
    guise: Guise,
    versioned: VersionedRequest,
    context: AdmissionContext,
  ): Promise<KubeObject | undefined> {
    return await askHook(parts, { hook, guise, versioned, context, mayChange: true }, ({ patch }, { object }) => {
      const operations = patch === undefined ? [] : operationsIn(patch);
      if (operations.length === 0) return undefined;
      if (object === undefined) {
        const what = `admission webhook ${quote(hook.name)} attempted to modify the object`;
        throw internalError(`${what}, which is not supported for this operation`);
      }
      const changed = parts.versions.read(patched(object, operations), guise);
      return deepEqual(changed, object) ? undefined : changed;
    });
  }
}

/** Knows which webhooks have to be asked once more because another one changed the object after them. */
class Reinvocation {
  readonly #asked = new Set<Hook>();
  readonly #again = new Set<Hook>();
  isNeeded = false;

  noteCall(hook: Hook): void {
    if (hook.reinvocationPolicy === "IfNeeded") this.#asked.add(hook);
  }

  noteChange(): void {
    for (const hook of this.#asked) this.#again.add(hook);
    this.#asked.clear();
    this.isNeeded = true;
  }

  wants(hook: Hook): boolean {
    return this.#again.has(hook);
  }

  /** Also of those who may have to be asked again because of a change that is still to come. */
  mayConcern(hook: Hook): boolean {
    return hook.reinvocationPolicy === "IfNeeded";
  }
}
