import { s, type ValueOf } from "#machinery";
import { templateReference } from "./references.ts";
import { conditionTypePattern, seconds } from "./texts.ts";

const ownConditions = "Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated";

const unhealthyNodeCondition = s.object({
  type: s.string({ minLength: 1 }).describe("The type of the Node's condition."),
  status: s.string({ minLength: 1 }).describe("The status that is unhealthy."),
  timeoutSeconds: seconds.describe("How long the condition has to stay like this."),
});

const unhealthyMachineCondition = s.object({
  type: s
    .string({
      minLength: 1,
      maxLength: 316,
      pattern: conditionTypePattern,
      rules: [
        {
          rule: `!(self in ['${ownConditions.replaceAll(", ", "','")}'])`,
          message: `type must not be one of: ${ownConditions}`,
        },
      ],
    })
    .describe("The type of the Machine's condition."),
  status: s.enumOf(["True", "False", "Unknown"]).describe("The status that is unhealthy."),
  timeoutSeconds: seconds.describe("How long the condition has to stay like this."),
});

/** What makes a machine unhealthy. */
export const healthChecks = s
  .object(
    {
      nodeStartupTimeoutSeconds: seconds
        .describe("How long a Machine may be without a Node; 0 switches this off, at least 30, 600 if not set.")
        .optional(),
      unhealthyNodeConditions: s
        .list(unhealthyNodeCondition, { type: "atomic", minItems: 1, maxItems: 100 })
        .describe("Conditions of the Node, any of which makes the machine unhealthy.")
        .optional(),
      unhealthyMachineConditions: s
        .list(unhealthyMachineCondition, { type: "atomic", minItems: 1, maxItems: 100 })
        .describe("Conditions of the Machine, any of which makes it unhealthy.")
        .optional(),
    },
    { minProperties: 1 },
  )
  .describe("What makes a machine unhealthy.");

const remediationFields = {
  triggerIf: s
    .object(
      {
        unhealthyLessThanOrEqualTo: s
          .intOrString()
          .describe("Remediate while at most so many machines are unhealthy, as a number or a percentage.")
          .optional(),
        unhealthyInRange: s
          .string({ minLength: 1, maxLength: 32, pattern: "^\\[[0-9]+-[0-9]+\\]$" })
          .describe("Remediate while so many machines are unhealthy, as in [3-5]; wins over the other field.")
          .optional(),
      },
      { minProperties: 1 },
    )
    .describe("When machines are remediated at all; always if not set.")
    .optional(),
  templateRef: templateReference.describe("A template for the object that asks somebody else to remediate.").optional(),
};

/** How many machines may be remediated at once. */
export const maxInFlight = s
  .intOrString()
  .describe("How many machines may be remediated at once, as a number or a percentage; all if not set.");

/** When and by whom unhealthy machines are remediated. */
export const remediation = s
  .object(remediationFields, { minProperties: 1 })
  .describe("When and by whom unhealthy machines are remediated.");

/** The same for the machines of a MachineDeployment. */
export const deploymentRemediation = s
  .object({ ...remediationFields, maxInFlight: maxInFlight.optional() }, { minProperties: 1 })
  .describe("When and by whom unhealthy machines are remediated.");

const enabled = s
  .boolean()
  .describe("True or false switches the check on or off; if not set, it is on where this or the class declares one.")
  .optional();

const text = "How unhealthy machines are found and remediated.";
const limits = { minProperties: 1 };

/** The health check of a class of control planes. */
export const controlPlaneClassHealthCheck = s
  .object({ checks: healthChecks.optional(), remediation: remediation.optional() }, limits)
  .describe(text);

/** The health check of a class of MachineDeployments. */
export const deploymentClassHealthCheck = s
  .object({ checks: healthChecks.optional(), remediation: deploymentRemediation.optional() }, limits)
  .describe(text);

/** The health check of the control plane in a topology; wins over the one of the class. */
export const controlPlaneHealthCheck = s
  .object({ enabled, checks: healthChecks.optional(), remediation: remediation.optional() }, limits)
  .describe("How unhealthy control plane machines are found and remediated; wins over the class.");

/** The health check of a MachineDeployment in a topology; wins over the one of the class. */
export const deploymentHealthCheck = s
  .object({ enabled, checks: healthChecks.optional(), remediation: deploymentRemediation.optional() }, limits)
  .describe("How unhealthy machines are found and remediated; wins over the class.");

/** A health check, wherever it is declared. */
export type HealthCheck = ValueOf<typeof deploymentHealthCheck>;
