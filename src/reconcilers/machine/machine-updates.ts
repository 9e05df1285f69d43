import type { Machine } from "#api";
import { type Clock, type Duration, milliseconds, seconds } from "#base";
import { type ExtensionClient, type RequestOf, UpdateMachine } from "#extensions";
import { keyOf, type KubeObject, namespacedName, type ObjectKey, type ObjectMeta } from "#machinery";
import { InPlaceUpdateError } from "./errors.ts";

/** A Machine and the objects of its providers, as they shall be. */
export interface DesiredMachine {
  readonly machine: Machine;
  readonly infrastructureMachine: KubeObject;
  readonly bootstrapConfig?: KubeObject;
}

/** How far an extension has come with an update. */
export type UpdateAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "not-yet"; readonly askAfter: Duration; readonly message: string };

/** Has machines updated in place, by the one extension that does that. */
export interface MachineUpdates {
  /**
   * Asks the extension to update a machine, or how far it is. Until the time has passed that it asked for, its last
   * answer stands. Throws where there is no such extension, where there are several, and where it fails.
   */
  ask(desired: DesiredMachine, options: { readonly signal: AbortSignal }): Promise<UpdateAnswer>;
  /** The next one who asks for this Machine asks the extension. */
  forget(machine: ObjectKey): void;
}

/** Makes what asks extensions for updates. */
export function createMachineUpdates({
  extensions,
  clock,
}: {
  readonly extensions: Pick<ExtensionClient, "handlersFor" | "callAll">;
  readonly clock: Clock;
}): MachineUpdates {
  const waiting = new Map<string, { readonly until: Duration; readonly message: string }>();
  return {
    async ask(desired, { signal }) {
      const key = keyOf(desired.machine);
      checkHandlers(await extensions.handlersFor(UpdateMachine, key, { signal }));
      const held = waiting.get(namespacedName(key));
      const left = milliseconds((held?.until ?? 0) - clock.elapsed());
      if (held !== undefined && left > 0) return { kind: "not-yet", askAfter: left, message: held.message };

      const { retryAfterSeconds, message } = await extensions.callAll(UpdateMachine, key, requestOf(desired), {
        signal,
      });
      if (retryAfterSeconds === 0) return { kind: "done" };
      const askAfter = seconds(retryAfterSeconds);
      waiting.set(namespacedName(key), { until: milliseconds(clock.elapsed() + askAfter), message });
      return { kind: "not-yet", askAfter, message };
    },
    forget: (machine) => void waiting.delete(namespacedName(machine)),
  };
}

/** Two extensions could undo each other's work. */
function checkHandlers(handlers: readonly string[]): void {
  if (handlers.length === 0) throw new InPlaceUpdateError("no extensions registered for UpdateMachine hook");
  if (handlers.length === 1) return;
  const names = handlers.join(",");
  throw new InPlaceUpdateError(`found multiple UpdateMachine hooks (${names}): only one hook is supported`);
}

/** What is wanted, and nothing of what is: an extension finds that out by itself. */
function requestOf({
  machine,
  infrastructureMachine,
  bootstrapConfig,
}: DesiredMachine): RequestOf<typeof UpdateMachine> {
  const { apiVersion, kind, metadata, spec } = machine;
  return {
    desired: {
      machine: { apiVersion, kind, metadata: wantedMetadata(metadata), spec },
      infrastructureMachine: wanted(infrastructureMachine),
      ...(bootstrapConfig === undefined ? {} : { bootstrapConfig: wanted(bootstrapConfig) }),
    },
  };
}

function wanted({ apiVersion, kind, metadata, spec }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: wantedMetadata(metadata), ...(spec === undefined ? {} : { spec }) };
}

function wantedMetadata({ name, namespace, labels, annotations }: ObjectMeta): ObjectMeta {
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}
