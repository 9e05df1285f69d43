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
    const reinvocation = new Reinvocation();
    await round(() => true);
    // Once is enough: whoever changes things again is not asked for ever.
    await round((hook) => reinvocation.wants(hook));
    const { object } = await versioned.in(request);
    return object;

    async function round(isWanted: (hook: Hook) => boolean): Promise<void> {
      for (const hook of hooks.concernedBy(request)) {
        const guise = isWanted(hook) ? await guiseOf(hook, versioned, parts) : undefined;
        if (guise === undefined) continue;
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

  noteCall(hook: Hook): void {
    if (hook.reinvocationPolicy === "IfNeeded") this.#asked.add(hook);
  }

  noteChange(): void {
    for (const hook of this.#asked) this.#again.add(hook);
    this.#asked.clear();
  }

  wants(hook: Hook): boolean {
    return this.#again.has(hook);
  }
}
