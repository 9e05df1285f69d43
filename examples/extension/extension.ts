import {
  BeforeClusterUpgrade,
  createExtension,
  defineVariables,
  DiscoverVariables,
  GeneratePatches,
  patchTemplates,
  proceed,
  s,
  seconds,
  waitFor,
} from "capstan/extension";

/** Tells whether clusters may be upgraded now; a real one would ask somebody. */
export interface MaintenanceWindow {
  isOpen(cluster: string): Promise<boolean>;
}

// Written once: this is what ClusterClasses discover, and the type of what patches are handed.
const variables = defineVariables({
  image: s.string({ minLength: 1 }).describe("The image of the machines.").optional(),
  preLoadImages: s.list(s.string()).describe("Images to load into every machine.").optional(),
});

/** An extension with a variable or two, a patch that uses them, and a say in upgrades. */
export function createMaintenanceExtension(maintenance: MaintenanceWindow) {
  return createExtension()
    .on(DiscoverVariables, "variables", () => ({ variables: variables.definitions }))
    .on(GeneratePatches, "images", (request) =>
      patchTemplates(
        request,
        {
          DevMachineTemplate(template, { image, preLoadImages }) {
            const { docker } = template.spec?.template.spec.backend ?? {};
            if (docker === undefined) return;
            if (image !== undefined) docker.customImage = image;
            if (preLoadImages !== undefined) docker.preLoadImages = [...preLoadImages];
          },
        },
        { variables },
      ),
    )
    .on(
      BeforeClusterUpgrade,
      "maintenance",
      async ({ cluster, toKubernetesVersion }) => {
        const { name = "" } = cluster.metadata;
        if (await maintenance.isOpen(name)) return proceed;
        return waitFor(seconds(30), `${name} is upgraded to ${toKubernetesVersion} in the next maintenance window`);
      },
      { timeoutSeconds: 5 },
    );
}
