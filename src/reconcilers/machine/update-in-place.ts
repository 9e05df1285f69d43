import { annotations, type Machine } from "#api";
import { CapstanError, requeueAfter, retry, wrap } from "#base";
import { readProvider } from "#contract";
import { defineStep, type StepResult } from "#control";
import { UpdateMachine } from "#extensions";
import { keyOf, kindOf, type KubeObject } from "#machinery";
import type { MachinePass } from "./deletion.ts";
import { InPlaceUpdateError } from "./errors.ts";
import type { MachineFacts } from "./machine-facts.ts";
import type { DesiredMachine, MachineUpdates } from "./machine-updates.ts";
import { isHookPending, withoutPendingHook } from "./pending-hooks.ts";
import type { MachinePorts } from "./ports.ts";

/**
 * Has a machine updated in place. Its owner marks the Machine, its infrastructure machine and its bootstrap config, and
 * notes the hook; when the extension is done, the mark of the Machine goes first and the note last, so that whatever is
 * cut off in between is taken up again.
 */
export const updateInPlace = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "update-in-place",
  text: "have the machine updated in place where its owner asked for that, and take the marks off when it is done",
  learns: ["update"],
  // How far an update is only the extension knows; that there is none can be seen.
  observe: ({ object: machine }) => (isMarked(machine) && isNoted(machine) ? {} : { update: { kind: "none" } }),

  async run(pass) {
    const { object: machine, facts, ports } = pass;
    const { updates } = ports;
    if (!ports.features.InPlaceUpdates || updates === undefined || !isNoted(machine)) return undefined;
    if (!isMarked(machine)) return await takeOffRest(pass);
    const isUp = facts.infrastructure.provisioned && facts.bootstrap.dataSecretCreated;
    if (!isUp || facts.machine.nodeName === undefined) return undefined;

    const { infrastructureMachine, bootstrapConfig } = await providerObjects(pass);
    if (infrastructureMachine === undefined) {
      pass.learn({ update: { kind: "failed", message: "In-place update not possible: InfraMachine not found" } });
      return retry(new InPlaceUpdateError("in-place update failed: InfraMachine not found"));
    }
    const providers = { infrastructureMachine, ...(bootstrapConfig === undefined ? {} : { bootstrapConfig }) };
    // Whoever is about to mark them wakes the Machine with it.
    if (!Object.values(providers).every(isMarked)) return undefined;
    return await update(pass, updates, { machine, ...providers });
  },
});

async function update(pass: MachinePass, updates: MachineUpdates, desired: DesiredMachine): Promise<StepResult> {
  const { metadata, signal } = pass;
  try {
    const answer = await updates.ask(desired, { signal });
    if (answer.kind === "done") {
      metadata.annotations = withoutMark(desired.machine);
      return undefined;
    }
    const said = answer.message === "" ? "" : `: ${answer.message}`;
    pass.learn({ update: { kind: "in-progress", message: `In-place update in progress${said}` } });
    return requeueAfter(answer.askAfter, "the extension asked for another call then");
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CapstanError)) throw error;
    const message = "UpdateMachine hook failed: please check controller logs for errors";
    pass.learn({ update: { kind: "failed", message } });
    return retry(wrap(error, "in-place update failed"));
  }
}

/** The Machine is done, or its owner gave up: nothing else may stay marked. */
async function takeOffRest(pass: MachinePass): Promise<undefined> {
  const { object: machine, metadata, client, ports, signal } = pass;
  const marked = Object.values(await providerObjects(pass)).filter(isMarked);
  for (const object of marked) {
    const patch = { metadata: { annotations: { [annotations.updateInProgress]: null } } };
    await client.patch(kindOf(object), keyOf(object), { kind: "merge", patch }, { signal });
  }
  ports.updates?.forget(keyOf(machine));
  metadata.annotations = withoutPendingHook(metadata, UpdateMachine);
}

async function providerObjects({ object: machine, reader, signal }: MachinePass) {
  const { infrastructureRef, bootstrap } = machine.spec;
  const options = { namespace: machine.metadata.namespace ?? "", signal };
  const [infrastructure, config] = [
    await readProvider(reader, infrastructureRef, options),
    await readProvider(reader, bootstrap.configRef, options),
  ];
  return {
    ...(infrastructure?.kind === "found" ? { infrastructureMachine: infrastructure.object } : {}),
    ...(config?.kind === "found" ? { bootstrapConfig: config.object } : {}),
  };
}

function isNoted({ metadata }: Machine): boolean {
  return isHookPending(metadata, UpdateMachine);
}

function isMarked({ metadata }: KubeObject): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, annotations.updateInProgress);
}

function withoutMark({ metadata }: Machine): Readonly<Record<string, string>> {
  const { [annotations.updateInProgress]: _, ...rest } = metadata.annotations ?? {};
  return rest;
}
