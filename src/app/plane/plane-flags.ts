import type { Command } from "commander";
import { defaultFeatureGates, type FeatureGates } from "#api";
import { type Duration, InvalidDurationError, minutes, parseDuration, seconds } from "#base";
import type { ReasonSpelling } from "#conditions";
import { labelName, labelValueProblems } from "#machinery";
import { UsageError } from "../errors.ts";
import type { Concurrency } from "./controllers.ts";

/** The flags that all commands with controllers have, as commander hands them over. */
export interface PlaneFlags {
  readonly clusterConcurrency: string;
  readonly machineConcurrency: string;
  readonly clusterclassConcurrency: string;
  readonly extensionconfigConcurrency: string;
  readonly syncPeriod: string;
  readonly watchFilter: string;
  readonly namespace: string;
  readonly featureGates: string;
  readonly diagnosticsAddress: string;
  readonly healthAddr: string;
  readonly remoteConnectionGracePeriod: string;
  readonly remoteConditionsGracePeriod: string;
  readonly conditionReasons: string;
  readonly machinePoolsRollOut: boolean;
  readonly extensionConfigReadOnly?: boolean;
  readonly logLevel: string;
}

/** The same, understood. */
export interface PlaneChoices {
  readonly concurrency: Concurrency;
  readonly syncPeriod: Duration;
  readonly watchFilter: string;
  readonly namespace: string;
  readonly features: FeatureGates;
  readonly diagnostics: ListenChoice | undefined;
  readonly health: ListenChoice | undefined;
  readonly remoteConnectionGracePeriod: Duration;
  readonly remoteConditionsGracePeriod: Duration;
  readonly conditionReasons: ReasonSpelling;
  /** False leaves MachinePools out of RollingOut of their Cluster. */
  readonly machinePoolsRollOut: boolean;
  readonly extensionConfigReadOnly: boolean;
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** Where to listen. */
export interface ListenChoice {
  readonly host: string;
  readonly port: number;
}

/** Adds the flags of Cluster API's manager that make sense here, with its defaults. */
export function addPlaneFlags(command: Command): Command {
  return command
    .option("--cluster-concurrency <n>", "how many Clusters are worked on at a time", "50")
    .option("--machine-concurrency <n>", "how many Machines are worked on at a time", "100")
    .option("--clusterclass-concurrency <n>", "how many ClusterClasses are worked on at a time", "10")
    .option("--extensionconfig-concurrency <n>", "how many ExtensionConfigs are worked on at a time", "10")
    .option("--sync-period <duration>", "how often all objects are looked at again", "10m")
    .option("--watch-filter <value>", "only objects whose label cluster.x-k8s.io/watch-filter has this value", "")
    .option("--namespace <name>", "only objects of this namespace; all of them unless told", "")
    .option("--feature-gates <list>", "features to turn on or off, such as MachinePool=false,RuntimeSDK=true", "")
    .option("--diagnostics-address <host:port>", "where metrics and the last passes are served; empty: nowhere", "")
    .option("--health-addr <host:port>", "where /healthz and /readyz are served; empty: nowhere", "")
    .option("--remote-connection-grace-period <duration>", "how long a good probe stands for a connection", "50s")
    .option("--remote-conditions-grace-period <duration>", "how long the last status of a Node stands", "5m")
    .option(
      "--condition-reasons <spelling>",
      "how reasons of NodeReady are spelled: documented or upstream",
      "documented",
    )
    .option("--no-machine-pools-roll-out", "leave MachinePools out of RollingOut of Clusters, as Cluster API does")
    .option("--extension-config-read-only", "take over what another manager finds out about extensions")
    .option("--log-level <level>", "debug, info, warn or error", "warn");
}

/** Reads the flags; an error names the flag that cannot be understood. */
export function readPlaneFlags(flags: PlaneFlags): PlaneChoices {
  const connection = durationOf("--remote-connection-grace-period", flags.remoteConnectionGracePeriod);
  const conditions = durationOf("--remote-conditions-grace-period", flags.remoteConditionsGracePeriod);
  if (connection <= seconds(0)) throw new UsageError("--remote-connection-grace-period must be greater than 0");
  if (conditions <= connection) {
    throw new UsageError("--remote-conditions-grace-period must be greater than --remote-connection-grace-period");
  }
  if (conditions < minutes(2)) throw new UsageError("--remote-conditions-grace-period must be at least 2m");
  return {
    concurrency: {
      cluster: countOf("--cluster-concurrency", flags.clusterConcurrency),
      machine: countOf("--machine-concurrency", flags.machineConcurrency),
      clusterClass: countOf("--clusterclass-concurrency", flags.clusterclassConcurrency),
      extensionConfig: countOf("--extensionconfig-concurrency", flags.extensionconfigConcurrency),
      dev: 100,
    },
    syncPeriod: syncPeriodOf(flags.syncPeriod),
    watchFilter: checked("--watch-filter", flags.watchFilter, labelValueProblems),
    namespace: checked("--namespace", flags.namespace, labelName.name),
    features: gatesOf(flags.featureGates),
    diagnostics: addressOf("--diagnostics-address", flags.diagnosticsAddress),
    health: addressOf("--health-addr", flags.healthAddr),
    remoteConnectionGracePeriod: connection,
    remoteConditionsGracePeriod: conditions,
    conditionReasons: oneOf("--condition-reasons", flags.conditionReasons, ["documented", "upstream"]),
    machinePoolsRollOut: flags.machinePoolsRollOut,
    extensionConfigReadOnly: flags.extensionConfigReadOnly ?? false,
    logLevel: oneOf("--log-level", flags.logLevel, ["debug", "info", "warn", "error"]),
  };
}

/** RuntimeSDK and ClusterTopology are on in every command of ours. */
function gatesOf(text: string): FeatureGates {
  const gates = { ...defaultFeatureGates, RuntimeSDK: true, ClusterTopology: true };
  for (const part of text.split(",").filter((one) => one !== "")) {
    const [name = "", value = ""] = part.split("=");
    if (!isGate(name, gates)) {
      throw new UsageError(`--feature-gates does not know ${name}; there are ${Object.keys(gates).join(", ")}`);
    }
    if (value !== "true" && value !== "false")
      throw new UsageError(`--feature-gates wants ${name}=true or ${name}=false`);
    gates[name] = value === "true";
  }
  return gates;
}

function isGate<Gates extends object>(name: string, gates: Gates): name is keyof Gates & string {
  return Object.hasOwn(gates, name);
}

/** A duration that a flag gives. */
export function durationOf(flag: string, text: string): Duration {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof InvalidDurationError)) throw error;
    throw new UsageError(`${flag} takes a duration such as 5m, not ${text}`);
  }
}

function syncPeriodOf(text: string): Duration {
  const period = durationOf("--sync-period", text);
  if (period <= seconds(0)) throw new UsageError("--sync-period must be greater than 0");
  return period;
}

/** Empty is nothing to check: it means that the flag was not given. */
function checked(flag: string, text: string, problemsOf: (text: string) => readonly string[]): string {
  const [problem] = text === "" ? [] : problemsOf(text);
  if (problem !== undefined) throw new UsageError(`${flag} cannot be ${text}: ${problem}`);
  return text;
}

function countOf(flag: string, text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError(`${flag} takes a number from 1 on, not ${text}`);
  return Number(text);
}

function addressOf(flag: string, text: string): ListenChoice | undefined {
  if (text === "") return undefined;
  const match = /^(.*):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) throw new UsageError(`${flag} takes host:port, not ${text}`);
  const host = (match[1] ?? "").replace(/^\[(.*)\]$/, "$1");
  return { host: host === "" ? "127.0.0.1" : host, port };
}

function oneOf<const Value extends string>(flag: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new UsageError(`${flag} takes one of ${values.join(", ")}, not ${text}`);
  return found;
}
