import type { Cluster } from "#api";
import type { SpecDraft } from "#control";
import { hasEndpoint } from "./endpoint.ts";

type Phase = NonNullable<NonNullable<Cluster["status"]>["phase"]>;

/** What a phase follows from. */
export interface PhaseFacts {
  readonly deleting: boolean;
  readonly infrastructureProvisioned: boolean;
  /** As it will be after the pass. */
  readonly spec: Pick<SpecDraft<Cluster>, "controlPlaneEndpoint" | "controlPlaneRef" | "infrastructureRef">;
  /** The phase so far. */
  readonly before?: Phase;
}

/** How far a Cluster has come, in one word. */
export function phaseOf({ deleting, infrastructureProvisioned, spec, before = "Pending" }: PhaseFacts): Phase {
  if (deleting) return "Deleting";
  if (infrastructureProvisioned && hasEndpoint(spec)) return "Provisioned";
  const namesNobody = spec.infrastructureRef === undefined && spec.controlPlaneRef === undefined;
  return namesNobody ? before : "Provisioning";
}
