import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { loadAll, YAMLException } from "js-yaml";
import { describe, expect, test } from "vitest";
import { readBlockYaml } from "./block-yaml.ts";
import type { Json } from "./json.ts";
import { kubernetesYaml } from "./yaml-schema.ts";
import { printYaml, printYamlDocuments } from "./yaml.ts";

/** As a reader of all YAML has it. */
function readAnyYaml(text: string): unknown {
  try {
    return loadAll(text, { schema: kubernetesYaml().schema });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return `refused: ${error.reason}`;
  }
}

// As kubectl prints it: lists in the column of their key, long texts over several lines.
const printed = `apiVersion: v1
items:
- apiVersion: cluster.x-k8s.io/v1beta2
  kind: Machine
  metadata:
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"cluster.x-k8s.io/v1beta2"}
    managedFields:
    - fieldsV1:
        f:status:
          .: {}
          k:{"type":"Ready"}:
            f:message: {}
      time: "2025-01-15T12:00:00Z"
    name: m1
    ownerReferences: []
  spec:
    version: v1.34.0
    replicas: 3
    nothing:
  status:
    conditions:
    - message: 'Get "https://10.0.0.1:6443": dial tcp
        10.0.0.1:6443: it''s refused

        for now'
      status: "False"
    - message: a text without quotes that
        goes on here
      status: "True"
    - message: |-
        * Ready: one
          * more

        * NodeHealthy: two
      reason: "é \\u00e9 \\"x\\""
kind: List
metadata:
  resourceVersion: ""
`;

const regular: Readonly<Record<string, string>> = {
  "what kubectl prints": printed,
  "several documents, some of them empty": "---\na: 1\n---\n---\nb: x\n",
  "nothing at all": "\n  \n",
  "lists inside lists, and below their dash": "a:\n  - x\n  - - b\n    - c\n  -\n    k: v\n  -\n",
  "keys in quotes": '"true": 1\n"": 2\n\'a b\': 3\n',
  "numbers and words": "a: 010\nb: 1_000\nc: on\nd: ~\ne: -1.5e3\nf: 12345678901234567890\ng: nope\nh: 1.2.3\n",
};

const irregular: Readonly<Record<string, string>> = {
  "a comment": "a: 1 # one\n",
  "a line that is a comment": "# one\na: 1\n",
  "a flow": "a: {b: 1}\n",
  "an anchor": "a: &x 1\nb: *x\n",
  "a tag": "a: !!str 1\n",
  "a folded block": "a: >\n  b\n",
  "a literal that says its indentation": "a: |2\n   b\n",
  "a key that is no text": "1: a\n",
  "a key that merges": "<<: {}\n",
  "a key that stands twice": "a: 1\na: 2\n",
  "a key that every object has": "toString: 1\n",
  "an endless number": "a: .inf\n",
  "an escape that JSON does not have": 'a: "\\x41"\n',
  "a tab": "a:\tb\n",
  "a carriage return": "a: b\r\n",
  "a directive": "%YAML 1.2\n---\na: 1\n",
  "an end of a document": "a: 1\n...\n",
  "a document that begins in its line": "--- a\n",
  "a text that does not end with its line": "a: 1",
  "a text alone": "a\n",
  "an indentation that fits nothing": "a:\n    b: 1\n  c: 2\n",
  "a quotation that does not end": "a: 'b\n",
  "a quotation that goes on at the margin": "a: 'b\nc'\n",
  "something after a quotation": "a: 'b' c\n",
  "a mapping inside a line": "a: b: c\n",
  "very deep nesting": Array.from({ length: 300 }, (_, level) => `${" ".repeat(level)}a:\n`).join(""),
};

describe("what is regular", () => {
  test.each(Object.entries(regular))("%s is read as any reader has it", (_, text) => {
    expect(readBlockYaml(text)).toEqual(readAnyYaml(text));
  });

  test.each(Object.entries(irregular))("%s is left to others", (_, text) => {
    expect(readBlockYaml(text)).toBeUndefined();
  });

  test("what this program prints is", () => {
    const objects: readonly Json[] = [
      { apiVersion: "v1", kind: "List", items: [{ metadata: { name: "a", labels: { "on/off": "yes" } }, none: null }] },
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        data: { file: "one\n\n  two\n", empty: "", text: "a: b # c" },
        list: [[]],
      },
    ];
    expect(readBlockYaml(printYamlDocuments(objects))).toEqual(objects);
  });
});

describe("whatever is read is what any reader has", () => {
  const words = ["a", "key", "x y", "1", "010", "true", "y", "~", "<<", ".inf", "é", "😀", "-1", "off", "-x", ":x"];
  const signs = [
    ": ",
    ":",
    " ",
    "  ",
    "'",
    '"',
    "''",
    "\\n",
    "\\",
    "|",
    "|-",
    "|+",
    ">",
    "#",
    " # c",
    "[]",
    "{}",
    "[a]",
  ];
  const lines = ["\n", "\n", "\n  ", "\n    ", "\n      ", "\n- ", "\n  - ", "\n    - ", "- ", "-", "\n\n", "\n---\n"];
  const starts = ["a:\n", "a: |\n  ", "a: |-\n    ", "a: 'x\n  ", 'a: "x\n  ', "a: x\n  ", "a:\n- ", "a:\n  b: "];
  const oddities = ["&x ", "*x", "!t ", "? ", 'k:{"t":"R"}', "__proto__: ", "\u2028", "...", "@", "%", ",", "\t"];
  const fragments = [...words, ...signs, ...lines, ...starts, ...oddities];

  test("of texts from the parts of YAML", () => {
    const text = fc.array(fc.constantFrom(...fragments), { maxLength: 16 }).map((parts) => `${parts.join("")}\n`);
    fc.assert(fc.property(text, agrees), { numRuns: 3_000 });
  });

  test("of what kubectl prints, after somebody's hand slipped", () => {
    const slip = fc.record({
      at: fc.nat(printed.length),
      cut: fc.nat(3),
      put: fc.constantFrom("", " ", "  ", "\n", "'", '"', ":", ": ", "- ", " #", "|", "\\", "{}", "a", "1"),
    });
    const change = (text: string, { at, cut, put }: { at: number; cut: number; put: string }) =>
      `${text.slice(0, at)}${put}${text.slice(at + cut)}`;
    const slipped = fc.array(slip, { minLength: 1, maxLength: 3 }).map((slips) => slips.reduce(change, printed));
    fc.assert(fc.property(slipped, agrees), { numRuns: 1_000 });
  });

  test("of whatever this program prints", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => agrees(printYaml(value as Json))),
      { numRuns: 1_000 },
    );
  });

  function agrees(text: string): boolean {
    const read = readBlockYaml(text);
    return read === undefined || isDeepStrictEqual(read, readAnyYaml(text));
  }
});
