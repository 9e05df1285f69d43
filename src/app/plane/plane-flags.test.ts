import { Command } from "commander";
import { defaultFeatureGates } from "#api";
import { minutes, seconds } from "#base";
import { describe, expect, test } from "vitest";
import { UsageError } from "../errors.ts";
import { addPlaneFlags, type PlaneFlags, readPlaneFlags } from "./plane-flags.ts";

function read(...flags: readonly string[]) {
  const command = addPlaneFlags(new Command("x")).exitOverride();
  return readPlaneFlags(command.parse(flags, { from: "user" }).opts<PlaneFlags>());
}

test("the defaults are those of Cluster API, with the gates of ours on", () => {
  expect(read()).toEqual({
    concurrency: { cluster: 50, machine: 100, clusterClass: 10, extensionConfig: 10, dev: 100 },
    syncPeriod: minutes(10),
    watchFilter: "",
    namespace: "",
    features: { ...defaultFeatureGates, RuntimeSDK: true, ClusterTopology: true },
    diagnostics: undefined,
    health: undefined,
    remoteConnectionGracePeriod: seconds(50),
    remoteConditionsGracePeriod: minutes(5),
    conditionReasons: "documented",
    machinePoolsRollOut: true,
    extensionConfigReadOnly: false,
    logLevel: "warn",
  });
});

test("MachinePools are left out of RollingOut where that is said", () => {
  expect(read("--no-machine-pools-roll-out").machinePoolsRollOut).toBe(false);
});

test("what is said is understood", () => {
  const choices = read(
    "--machine-concurrency",
    "7",
    "--namespace",
    "team",
    "--watch-filter",
    "mine",
    "--sync-period",
    "1h",
    "--feature-gates",
    "RuntimeSDK=false,MachinePool=true",
    "--health-addr",
    ":9440",
    "--diagnostics-address",
    "0.0.0.0:8443",
    "--condition-reasons",
    "upstream",
    "--log-level",
    "debug",
    "--remote-conditions-grace-period",
    "2m",
    "--remote-connection-grace-period",
    "10s",
    "--extension-config-read-only",
  );
  expect(choices).toMatchObject({
    concurrency: { machine: 7, cluster: 50 },
    namespace: "team",
    watchFilter: "mine",
    syncPeriod: minutes(60),
    features: { RuntimeSDK: false, ClusterTopology: true, MachinePool: true },
    health: { host: "127.0.0.1", port: 9440 },
    diagnostics: { host: "0.0.0.0", port: 8443 },
    conditionReasons: "upstream",
    logLevel: "debug",
    remoteConditionsGracePeriod: minutes(2),
    remoteConnectionGracePeriod: seconds(10),
    extensionConfigReadOnly: true,
  });
});

describe("what cannot be understood names the flag", () => {
  test.each([
    [["--remote-conditions-grace-period", "119s"], "--remote-conditions-grace-period must be at least 2m"],
    [
      ["--remote-conditions-grace-period", "50s"],
      "--remote-conditions-grace-period must be greater than --remote-connection-grace-period",
    ],
    [
      ["--remote-connection-grace-period", "6m"],
      "--remote-conditions-grace-period must be greater than --remote-connection-grace-period",
    ],
    [["--remote-connection-grace-period", "0"], "--remote-connection-grace-period must be greater than 0"],
    [["--sync-period", "soon"], "--sync-period takes a duration such as 5m, not soon"],
    [["--machine-concurrency", "0"], "--machine-concurrency takes a number from 1 on, not 0"],
    [["--cluster-concurrency", "many"], "--cluster-concurrency takes a number from 1 on, not many"],
    [["--feature-gates", "RuntimeSDK"], "--feature-gates wants RuntimeSDK=true or RuntimeSDK=false"],
    [["--health-addr", "9440"], "--health-addr takes host:port, not 9440"],
    [["--diagnostics-address", ":99999"], "--diagnostics-address takes host:port, not :99999"],
    [["--condition-reasons", "both"], "--condition-reasons takes one of documented, upstream, not both"],
    [["--log-level", "loud"], "--log-level takes one of debug, info, warn, error, not loud"],
  ])("%j", (flags, message) => {
    expect(() => read(...flags)).toThrow(new UsageError(message));
  });

  test("a gate that does not exist, with those that do", () => {
    expect(() => read("--feature-gates", "Magic=true")).toThrow(
      /^--feature-gates does not know Magic; there are .*RuntimeSDK/,
    );
  });
});

test.each<[string, readonly string[], string]>([
  ["a time that goes backwards", ["--sync-period", "-5m"], "--sync-period must be greater than 0"],
  ["no time at all", ["--sync-period", "0s"], "--sync-period must be greater than 0"],
  ["what cannot be a namespace", ["--namespace", "A B"], "--namespace cannot be A B: a lowercase RFC 1123 label"],
  ["what cannot be a label", ["--watch-filter", "x=y"], "--watch-filter cannot be x=y: a valid label must"],
])("%s is refused", (_, flags, message) => {
  expect(() => read(...flags)).toThrow(message);
});

test("an address of IPv6 stands in brackets", () => {
  expect(read("--health-addr", "[::1]:8080").health).toEqual({ host: "::1", port: 8080 });
});
