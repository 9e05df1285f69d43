import { s, type ValueOf } from "#machinery";
import { name } from "./texts.ts";

const failureDomain = s.object({
  name: name(256).describe("The name of the failure domain."),
  controlPlane: s.boolean().describe("True if control plane machines may go there.").optional(),
  attributes: s.map(s.string()).describe("What else the infrastructure provider says about it.").optional(),
});

/** A part of the infrastructure that can fail on its own. */
export type FailureDomain = ValueOf<typeof failureDomain>;

/** The parts of the infrastructure that can fail on their own. */
export const failureDomains = s.list(failureDomain, { key: "name", minItems: 1, maxItems: 100 });

/** Where the API server of a workload cluster is reached. */
export const controlPlaneEndpoint = s
  .object(
    {
      host: name(512).describe("The host name or address.").optional(),
      port: s.integer({ minimum: 1, maximum: 65535 }).describe("The port.").optional(),
    },
    { minProperties: 1 },
  )
  .describe("Where the API server of the workload cluster is reached.");
