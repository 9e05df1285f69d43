import { expect, test } from "vitest";
import { runMain } from "#app";
import { embeddedOnly } from "#testkit";

test("the demo keeps everything that it promises", { timeout: 120_000 }, async (t) => {
  embeddedOnly(t, "the demo brings a server of its own along");
  let [out, err] = ["", ""];
  const terminal = { write: (text: string) => (out += text), writeError: (text: string) => (err += text) };
  const code = await runMain(["demo"], { terminal });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("6. The workload API server goes away, and comes back");
  expect(out).toContain("Everything that was promised happened");
});
