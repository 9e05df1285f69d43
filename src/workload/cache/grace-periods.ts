import { type Duration, minutes } from "#base";
import { InvalidGracePeriodError } from "../errors.ts";

/** How long what is known of a workload cluster stands after its last answer. */
export interface GracePeriods {
  /** Until its Cluster says that it does not answer. */
  readonly connection: Duration;
  /** Until the conditions that were read from it are unknown. */
  readonly conditions: Duration;
}

const shortest = minutes(2);

/** Refuses periods in which a cluster that is only slow would be taken for one that is gone. */
export function checkGracePeriods({ connection, conditions }: GracePeriods): void {
  if (conditions <= connection)
    throw new InvalidGracePeriodError(
      "--remote-conditions-grace-period must be greater than --remote-connection-grace-period",
    );
  if (conditions < shortest) throw new InvalidGracePeriodError("--remote-conditions-grace-period must be at least 2m");
  if (connection <= 0) throw new InvalidGracePeriodError("--remote-connection-grace-period must be greater than 0");
}
