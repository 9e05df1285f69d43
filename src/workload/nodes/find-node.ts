import type { Index, Reader, ReadOptions } from "#control";
import { fieldAt } from "#machinery";
import { Node } from "../core-kinds.ts";
import { AmbiguousNodeError } from "../errors.ts";

/** Files Nodes under the machine that they run on. */
export const nodesByProviderID: Index = {
  name: "spec.providerID",
  valuesOf: (node) => {
    const providerID = fieldAt(node, "spec", "providerID");
    return typeof providerID === "string" && providerID !== "" ? [providerID] : [];
  },
};

/** The Node that runs on a machine; undefined where there is none, an error where there are several. */
export async function findNode(
  reader: Reader,
  providerID: string,
  options: ReadOptions = {},
): Promise<Node | undefined> {
  const indexed = { by: nodesByProviderID, value: providerID };
  const [node, ...others] = await reader.list(Node, { indexed, ...options });
  if (others.length > 0)
    throw new AmbiguousNodeError(`unexpectedly found more than one Node matching the providerID ${providerID}`);
  return node;
}
