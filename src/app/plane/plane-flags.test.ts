import { Command } from "commander";
import { expect, test } from "vitest";
import { minutes } from "#base";
import { addPlaneFlags, type PlaneFlags, readPlaneFlags } from "./plane-flags.ts";

test("without flags the defaults are those of the manager of Cluster API", () => {
  expect(read()).toMatchObject({ concurrency: { cluster: 50, machine: 100 }, syncPeriod: minutes(10), namespace: "" });
});

test.each<[string, readonly string[], string]>([
  ["no duration", ["--sync-period", "often"], "--sync-period takes a duration such as 5m, not often"],
  ["a time that goes backwards", ["--sync-period", "-5m"], "--sync-period must be greater than 0"],
  ["no time at all", ["--sync-period", "0s"], "--sync-period must be greater than 0"],
  ["what cannot be a namespace", ["--namespace", "A B"], "--namespace cannot be A B: a lowercase RFC 1123 label"],
  ["what cannot be a label", ["--watch-filter", "x=y"], "--watch-filter cannot be x=y: a valid label must"],
  ["no address", ["--health-addr", "8080"], "--health-addr takes host:port, not 8080"],
])("%s is refused", (_, args, message) => {
  expect(() => read(...args)).toThrow(message);
});

test("an address of IPv6 stands in brackets", () => {
  expect(read("--health-addr", "[::1]:8080").health).toEqual({ host: "::1", port: 8080 });
});

function read(...args: readonly string[]) {
  const command = addPlaneFlags(new Command()).parse([...args], { from: "user" });
  return readPlaneFlags(command.opts<PlaneFlags>());
}
