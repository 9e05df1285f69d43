import { join } from "node:path";
import { describeError } from "#base";
import { nameOf } from "#conditions";
import { describe, expect, test } from "vitest";
import { allTables } from "../tables.ts";
import { runMain } from "../main.ts";
import { parseYaml } from "#machinery";
import { explainFacts, type ExplainOptions } from "./explain-facts.ts";

const examples = join(import.meta.dirname, "../../../examples");

async function capstan(...args: readonly string[]) {
  let out = "";
  let err = "";
  const terminal = { write: (text: string) => (out += text), writeError: (text: string) => (err += text) };
  const code = await runMain(["explain", ...args], { terminal });
  return { code, out, err };
}

/** Asks with a file system that holds one file. */
async function ask(options: Partial<ExplainOptions>, content?: string): Promise<string> {
  let out = "";
  const asked: ExplainOptions = {
    table: "Machine.NodeReady",
    facts: "facts.yaml",
    output: "text",
    conditionReasons: "documented",
    ...options,
  };
  await explainFacts(asked, {
    write: (text) => (out += text),
    readFile: async (path) => {
      if (content === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
      return content;
    },
  });
  return out;
}

describe("the examples", () => {
  test.each([
    ["Machine.NodeReady", "node-not-ready.yaml", "Machine.NodeReady: False, NotReady", "-> 10  not-ready"],
    ["Machine.NodeHealthy", "node-not-ready.yaml", "Machine.NodeHealthy: False, NodeNotHealthy", "->  9  unhealthy"],
    [
      "Machine.NodeReady",
      "node-deleted-by-hand.yaml",
      "Machine.NodeReady: False, Deleted",
      "-> 15  deleted-under-machine",
    ],
    [
      "Machine.NodeReady",
      "cluster-unreachable.json",
      "Machine.NodeReady: Unknown, ConnectionDown",
      "->  5  connection-lost",
    ],
  ])("%s of %s is explained", async (table, file, headline, fired) => {
    const { code, out, err } = await capstan("--table", table, "--facts", join(examples, file));
    expect({ code, err, headline: out.split("\n")[0] }).toEqual({ code: 0, err: "", headline });
    expect(out).toContain(fired);
    expect(out.endsWith("next      none: waits for a change\n")).toBe(true);
  });

  test("what would decide if the cluster could be reached is marked", async () => {
    const { out } = await capstan("-t", "Machine.NodeReady", "-f", join(examples, "cluster-unreachable.json"));
    expect(out).toContain(
      "    7  disconnected-keep           holds  workload cluster is not connected; but a row above decided\n",
    );
  });
});

describe("forms of output", () => {
  const facts = ["-t", "Machine.NodeReady", "-f", join(examples, "node-not-ready.yaml")];

  test("JSON and YAML say the same", async () => {
    const json: unknown = JSON.parse((await capstan(...facts, "-o", "json")).out);
    expect(json).toMatchObject({ table: "Machine.NodeReady", row: "not-ready", report: { reason: "NotReady" } });
    expect(parseYaml((await capstan(...facts, "-o", "yaml")).out)).toEqual(json);
  });

  test("reasons are spelled as upstream does where that is asked for", async () => {
    const { out } = await capstan(...facts, "--condition-reasons", "upstream");
    expect(out.split("\n")[0]).toBe("Machine.NodeReady: False, NodeNotReady");
  });

  test("the table prints itself, with no facts at hand", async () => {
    const { code, out } = await capstan("-t", "Machine.NodeReady", "--docs");
    expect({ code, title: out.split("\n")[0] }).toEqual({ code: 0, title: "# Machine `NodeReady`" });
    expect(out.split("\n").filter((line) => line.startsWith("| `"))).toHaveLength(17);
    expect(JSON.parse((await capstan("-t", "Machine.NodeReady", "--docs", "-o", "json")).out)).toMatchObject({
      name: "Machine.NodeReady",
      rows: expect.any(Array),
    });
  });
});

describe("what cannot be explained", () => {
  test.each<[string, Partial<ExplainOptions>, string | undefined, string]>([
    [
      "an unknown table",
      { table: "Machine.Nothing" },
      "",
      `there is no table Machine.Nothing; there are ${allTables.map(nameOf).join(", ")}`,
    ],
    [
      "a file that is not there",
      {},
      undefined,
      "cannot read facts.yaml: ENOENT: no such file or directory, open 'facts.yaml'",
    ],
    [
      "a file that is no YAML",
      {},
      "a: [",
      "facts.yaml is neither YAML nor JSON: yaml: line 1: unexpected end of the stream within a flow collection",
    ],
    ["facts that are no object", {}, "- 1", "facts must be an object, not a list"],
    [
      "facts that lack a field",
      {},
      "now: 2025-01-15T12:00:00Z",
      "facts.gracePeriod is missing: it must be a duration such as 5m",
    ],
  ])("%s is named", async (_, options, content, message) => {
    const failure = await ask(options, content).catch(describeError);
    expect(failure).toBe(message);
  });

  test("errors go to the other stream, and the exit code is 1", async () => {
    expect(await capstan("-t", "Machine.NodeReady")).toEqual({
      code: 1,
      out: "",
      err: "error: give --facts FILE, or --docs for the table itself\n",
    });
  });

  test.each([
    ["no table", [], "give KIND/NAME, such as machine/quickstart-worker-1, or --table with --facts"],
    ["an unknown form", ["-t", "x", "-o", "xml"], "Allowed choices are text, json, yaml."],
    ["an unknown spelling", ["-t", "x", "--condition-reasons", "y"], "Allowed choices are documented, upstream."],
  ])("%s is refused", async (_, args, message) => {
    const { code, err } = await capstan(...args);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});
