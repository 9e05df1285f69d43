import { basename, dirname, join } from "node:path";
import type { Json, JsonObject } from "#machinery";
import type { ConfigFields } from "./config-fields.ts";

/** A program that hands out credentials, as a kubeconfig describes it. */
export interface ExecSettings {
  readonly apiVersion: string;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly variables: { readonly [name: string]: string };
  /** What to tell people who do not have the program. */
  readonly installHint?: string;
  /** About the cluster, for programs that ask to be told. */
  readonly cluster?: JsonObject;
}

const versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
const extensionName = "client.authentication.k8s.io/exec";

/** Reads the `exec` part of a user. */
export function readExecSettings(exec: ConfigFields, cluster: ConfigFields): ExecSettings {
  const apiVersion = exec.requiredText("apiVersion");
  if (!versions.includes(apiVersion))
    throw exec.problem("apiVersion", `must be one of ${versions.join(", ")}, not ${apiVersion}`);
  const mode = exec.text("interactiveMode") ?? "IfAvailable";
  if (!["Never", "IfAvailable", "Always"].includes(mode))
    throw exec.problem("interactiveMode", `must be one of Never, IfAvailable, Always, not ${mode}`);
  if (mode === "Always") throw exec.problem("interactiveMode", "is Always, but nobody can be asked here");
  const installHint = exec.text("installHint");
  return {
    apiVersion,
    command: commandOf(exec),
    arguments: exec.texts("args"),
    variables: Object.fromEntries(
      exec.objects("env").map((entry) => [entry.requiredText("name"), entry.text("value") ?? ""]),
    ),
    ...(installHint === undefined ? {} : { installHint }),
    ...(exec.flag("provideClusterInfo") ? { cluster: clusterInfo(cluster) } : {}),
  };
}

/** A bare name is looked up in PATH; anything with a slash lies beside the kubeconfig. */
function commandOf(exec: ConfigFields): string {
  const command = exec.requiredText("command");
  if (basename(command) === command) return command;
  return exec.filePath("command") ?? join(dirname(exec.file), command);
}

function clusterInfo(cluster: ConfigFields): JsonObject {
  const authority = cluster.text("certificate-authority-data");
  const serverName = cluster.text("tls-server-name");
  const config = execExtension(cluster);
  return {
    server: cluster.requiredText("server"),
    ...(serverName === undefined ? {} : { "tls-server-name": serverName }),
    ...(cluster.flag("insecure-skip-tls-verify") ? { "insecure-skip-tls-verify": true } : {}),
    ...(authority === undefined ? {} : { "certificate-authority-data": authority }),
    ...(config === undefined ? {} : { config }),
  };
}

function execExtension(cluster: ConfigFields): Json | undefined {
  const extension = cluster.objects("extensions").find((entry) => entry.text("name") === extensionName);
  return extension?.json("extension");
}
