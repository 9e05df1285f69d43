import { expect, test } from "vitest";
import { minutes, noTime, seconds } from "#base";
import { checkGracePeriods } from "./grace-periods.ts";

test("Cluster API's own periods are fine", () => {
  expect(() => checkGracePeriods({ connection: seconds(50), conditions: minutes(5) })).not.toThrow();
});

test.each([
  { connection: minutes(5), conditions: minutes(5), said: "must be greater than --remote-connection-grace-period" },
  { connection: seconds(50), conditions: seconds(119), said: "must be at least 2m" },
  { connection: noTime, conditions: minutes(5), said: "--remote-connection-grace-period must be greater than 0" },
])("periods that make no sense are refused: $said", ({ said, ...periods }) => {
  expect(() => checkGracePeriods(periods)).toThrow(said);
});
