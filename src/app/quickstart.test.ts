import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { expect, test } from "vitest";
import { quickstartFrom } from "./quickstart.ts";

test("the example is named so that it is found from where somebody is", () => {
  const elsewhere = quickstartFrom("/somewhere/else");
  expect([isAbsolute(elsewhere), existsSync(elsewhere)]).toEqual([true, true]);
  expect(quickstartFrom(dirname(dirname(elsewhere)))).toBe(join("examples", "quickstart.yaml"));
});
