import { defineKind, type ObjectOf, s } from "#machinery";
import { age, clusterOfLabel, onlyWide, paused, textColumn } from "./columns.ts";
import { category, contractLabels, groups } from "./groups.ts";
import { conditions, deprecated } from "./shapes/condition.ts";
import { machineAddresses } from "./shapes/machine.ts";
import { templateMetadata } from "./shapes/metadata.ts";
import { failureDomainName, providerID } from "./shapes/texts.ts";

const docker = s
  .object({
    customImage: s.string().describe("The image of the container; from the version if not set.").optional(),
    preLoadImages: s.list(s.string()).describe("Images to load into the machine.").optional(),
    extraMounts: s
      .list(
        s.object({
          containerPath: s.string().describe("Where it appears in the container.").optional(),
          hostPath: s.string().describe("What is mounted.").optional(),
          readOnly: s.boolean().describe("True if the container may not write to it.").optional(),
        }),
      )
      .describe("Folders of the host to mount.")
      .optional(),
    bootstrapped: s.boolean().describe("True once the bootstrap data has been run.").optional(),
    bootstrapTimeout: s.string().describe("How long bootstrapping may take, such as 3m.").optional(),
  })
  .describe("The machine is a container.");

const provisioned = s.object({
  provisioning: s
    .object({
      startupDuration: s.string().describe("How long it takes to come up, such as 10s."),
      startupJitter: s.string().describe("How much longer it may take, as a share of the duration.").optional(),
    })
    .describe("How long it takes to come up.")
    .optional(),
});

const inMemory = s
  .object({
    vm: provisioned.describe("The simulated machine.").optional(),
    node: provisioned.describe("Its Node.").optional(),
    apiServer: provisioned.describe("Its API server, on control plane machines.").optional(),
    etcd: provisioned.describe("Its etcd member, on control plane machines.").optional(),
  })
  .describe("The machine is simulated in memory.");

const devMachineSpec = s
  .object({
    providerID: providerID.optional(),
    backend: s
      .object({ docker: docker.optional(), inMemory: inMemory.optional() })
      .describe("What the machine is made of: docker or inMemory."),
  })
  .describe("What is wished.");

const devMachineStatus = s
  .object({
    conditions,
    initialization: s
      .object({ provisioned: s.boolean().describe("True once the machine is there.").optional() }, { minProperties: 1 })
      .describe("What has been reached for the first time.")
      .optional(),
    addresses: machineAddresses.describe("The addresses of the machine.").optional(),
    failureDomain: failureDomainName.describe("The failure domain that the machine is in.").optional(),
    backend: s
      .object({
        docker: s
          .object({
            loadBalancerConfigured: s.boolean().describe("True once the load balancer knows the machine.").optional(),
          })
          .describe("What the docker backend remembers.")
          .optional(),
      })
      .describe("What the backend remembers.")
      .optional(),
    deprecated,
  })
  .describe("What the controller has found out.");

/** A machine for development and tests. */
export const DevMachine = defineKind({
  group: groups.infrastructure,
  version: "v1beta2",
  kind: "DevMachine",
  plural: "devmachines",
  categories: [category],
  labels: contractLabels({ v1beta2: ["v1beta2"] }),
  description: "A machine for development and tests.",
  columns: [
    clusterOfLabel,
    onlyWide(textColumn("Provider ID", ".spec.providerID")),
    textColumn("Failure domain", ".status.failureDomain"),
    onlyWide(textColumn("IP", '.status.addresses[?(@.type=="InternalIP")].address')),
    paused,
    textColumn("Provisioned", ".status.initialization.provisioned"),
    age,
  ],
  hasStatus: true,
  fields: { spec: devMachineSpec.optional(), status: devMachineStatus.optional() },
});

export type DevMachine = ObjectOf<typeof DevMachine>;

/** A template for DevMachines. */
export const DevMachineTemplate = defineKind({
  group: groups.infrastructure,
  version: "v1beta2",
  kind: "DevMachineTemplate",
  plural: "devmachinetemplates",
  categories: [category],
  labels: contractLabels({ v1beta2: ["v1beta2"] }),
  description: "A template for DevMachines.",
  columns: [age],
  hasStatus: true,
  fields: {
    spec: s
      .object({
        template: s
          .object({ metadata: templateMetadata.optional(), spec: devMachineSpec })
          .describe("The DevMachine to make; it cannot be changed."),
      })
      .describe("What is wished.")
      .optional(),
    status: s
      .object({ capacity: s.map(s.quantity()).describe("What a machine has to offer, for autoscalers.").optional() })
      .describe("What the controller has found out.")
      .optional(),
  },
});

export type DevMachineTemplate = ObjectOf<typeof DevMachineTemplate>;
