import { s, type ValueOf } from "#machinery";

/** How a MachineDeployment replaces its machines. */
export const rolloutStrategy = s
  .object(
    {
      type: s
        .enumOf(["RollingUpdate", "OnDelete"])
        .describe("RollingUpdate replaces machines by itself, OnDelete when somebody deletes the old ones."),
      rollingUpdate: s
        .object(
          {
            maxUnavailable: s
              .intOrString()
              .describe("How many machines may be missing meanwhile, as a number or a percentage; 0 if not set.")
              .optional(),
            maxSurge: s
              .intOrString()
              .describe("How many machines there may be too many, as a number or a percentage; 1 if not set.")
              .optional(),
          },
          { minProperties: 1 },
        )
        .describe("The pace of a RollingUpdate.")
        .optional(),
    },
    { minProperties: 1 },
  )
  .describe("How machines are replaced.");

/** How a MachineDeployment replaces its machines. */
export type RolloutStrategy = ValueOf<typeof rolloutStrategy>;

/** A time after which machines are replaced although nothing has changed. */
export const rolloutAfter = s
  .time()
  .describe("Replace all machines that were made before this time, once it has come.");

/** When and how a MachineDeployment replaces its machines. */
export const rollout = s
  .object({ after: rolloutAfter.optional(), strategy: rolloutStrategy.optional() }, { minProperties: 1 })
  .describe("When and how machines are replaced.");
