/** Files whose operations have no code to run through yet. A line goes when its last operation has an adapter. */
export const notYetBuilt: readonly string[] = [
  "clustercache.json",
  "clusterclass-variables.json",
  "extensionconfig.json",
  "nodehealthy-summary.json",
  "nodeready.json",
  "noderef.json",
  "rollingout.json",
  "runtime-discovery.json",
  "variable-validation.json",
];
