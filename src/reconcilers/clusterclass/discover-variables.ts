/** The step that rows about variables rely on. */
export const discoverVariables = {
  name: "discover-variables",
  text: "ask every DiscoverVariables extension; write the sorted union of all definitions to status.variables",
};
