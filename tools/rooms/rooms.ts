const machineryAndConditions = ["base", "machinery", "conditions"] as const;
const contractImports = [...machineryAndConditions, "api", "client", "control"] as const;
const topologyImports = [...machineryAndConditions, "cel", "api", "client", "contract", "extensions"] as const;
const reconcilersImports = [...topologyImports, "topology", "control", "workload"] as const;
const cliImports = [...reconcilersImports, "reconcilers", "webhooks"] as const;

/** Who may import whom: down only, and only what stands here. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  machinery: ["base"],
  cel: ["base", "machinery"],
  conditions: ["base", "machinery"],
  api: ["base", "machinery"],
  client: ["base", "machinery"],
  apiserver: ["base", "machinery", "cel"],
  control: ["base", "machinery", "conditions", "client"],
  contract: contractImports,
  workload: contractImports,
  extensions: ["base", "machinery", "api", "client"],
  topology: topologyImports,
  reconcilers: reconcilersImports,
  webhooks: [...topologyImports, "topology", "control"],
  providers: [...contractImports, "contract", "apiserver"],
  cli: cliImports,
  app: [...cliImports, "apiserver", "providers", "cli"],
  testkit: [...cliImports, "apiserver", "providers"],
};

/** Rooms whose folders are rooms of their own, each with a front door: `#apiserver/store`, `#reconcilers/machine`. */
export const floors: readonly string[] = ["apiserver", "reconcilers"];
