/** The step that rows about templates rely on. */
export const followTemplates = {
  name: "follow-templates",
  text: "own every template that the class names and compare its version with the contract's",
};
