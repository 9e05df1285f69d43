import type { HealthCheck } from "#api";
import { type FieldError, type FieldPath, invalid } from "#machinery";
import { intOrPercentErrors } from "./rollout.ts";

const shortestNodeStartupTimeoutSeconds = 30;

/** The parts that all health checks have. */
export type AnyHealthCheck = Pick<HealthCheck, "checks" | "remediation">;

/** A Node gets time to start, and a limit is a number or a percentage. */
export function healthCheckErrors({ checks, remediation }: AnyHealthCheck, at: FieldPath): readonly FieldError[] {
  const { nodeStartupTimeoutSeconds: timeout = 0 } = checks ?? {};
  const tooShort = timeout !== 0 && timeout < shortestNodeStartupTimeoutSeconds;
  const limit = remediation?.triggerIf?.unhealthyLessThanOrEqualTo;
  return [
    ...(tooShort ? [invalid(at.child("checks", "nodeStartupTimeoutSeconds"), timeout, "must be at least 30s")] : []),
    ...intOrPercentErrors(limit, at.child("remediation", "triggerIf", "unhealthyLessThanOrEqualTo")),
  ];
}

/** The same for machines of a MachineDeployment, which can be remediated a few at a time. */
export function deploymentHealthCheckErrors(check: AnyHealthCheck, at: FieldPath): readonly FieldError[] {
  return [
    ...healthCheckErrors(check, at),
    ...intOrPercentErrors(check.remediation?.maxInFlight, at.child("remediation", "maxInFlight")),
  ];
}

/** True where it says what unhealthy means or what happens then; `enabled` alone says neither. */
export function isDefined(check: AnyHealthCheck | undefined): check is AnyHealthCheck {
  return check?.checks !== undefined || check?.remediation !== undefined;
}
