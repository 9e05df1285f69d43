import type { Machine } from "#api";

type Phase = NonNullable<NonNullable<Machine["status"]>["phase"]>;

/** What a Machine is doing, in one word. */
export function phaseOf({ metadata, spec, status }: Machine): Phase {
  const { bootstrapDataSecretCreated: bootstrapped = false, infrastructureProvisioned: provisioned = false } =
    status?.initialization ?? {};
  if (metadata.deletionTimestamp !== undefined) return "Deleting";
  if ((status?.nodeRef?.name ?? "") !== "" && provisioned) return isUpdating(status) ? "Updating" : "Running";
  if ((spec.providerID ?? "") !== "") return "Provisioned";
  if (bootstrapped && !provisioned) return "Provisioning";
  return status?.phase ?? "Pending";
}

function isUpdating(status: Machine["status"]): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === "Updating" && value === "True") ?? false;
}
