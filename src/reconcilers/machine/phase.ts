import type { Machine } from "#api";
import type { MachineFacts } from "./machine-facts.ts";

type Phase = NonNullable<NonNullable<Machine["status"]>["phase"]>;

/** What a Machine is doing, in one word. */
export function phaseOf(
  { status }: Pick<Machine, "status">,
  { machine, bootstrap, infrastructure, update }: MachineFacts,
): Phase {
  if (machine.deleting) return "Deleting";
  if (machine.nodeName !== undefined && infrastructure.provisioned) {
    return update.kind === "none" ? "Running" : "Updating";
  }
  if (machine.providerID !== undefined) return "Provisioned";
  if (bootstrap.dataSecretCreated && !infrastructure.provisioned) return "Provisioning";
  return status?.phase ?? "Pending";
}
