import type { Machine } from "#api";
import type { Node } from "#workload";

type NodeInfo = NonNullable<NonNullable<Machine["status"]>["nodeInfo"]>;

/** What a Node reports about itself; what it does not say is empty. */
export function nodeInfoOf({ status }: Node): NodeInfo | undefined {
  const info = status?.nodeInfo;
  if (info === undefined) return undefined;
  const text = (name: string) => {
    const value = info[name];
    return typeof value === "string" ? value : "";
  };
  return {
    machineID: text("machineID"),
    systemUUID: text("systemUUID"),
    bootID: text("bootID"),
    kernelVersion: text("kernelVersion"),
    osImage: text("osImage"),
    containerRuntimeVersion: text("containerRuntimeVersion"),
    kubeletVersion: text("kubeletVersion"),
    kubeProxyVersion: text("kubeProxyVersion"),
    operatingSystem: text("operatingSystem"),
    architecture: text("architecture"),
  };
}
