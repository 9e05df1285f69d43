import { expect, test } from "vitest";
import { lintFiles } from "./lint-files.ts";

const sound = `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: small}
spec:
  infrastructure: &template
    templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevClusterTemplate, name: small}
  controlPlane: *template
  variables:
    - name: region
      required: true
      schema:
        openAPIV3Schema:
          type: string
          default: north
`;

async function problemsIn(text: string) {
  const { problems } = await lintFiles([{ file: "a.yaml", text }]);
  return problems.map(({ line, field, problem }) => [line, field, problem]);
}

test("a class in order has no problems", async () => {
  expect(await lintFiles([{ file: "a.yaml", text: sound }])).toEqual({ classes: 1, problems: [] });
});

test("other objects are passed over, and every class of a file is checked", async () => {
  const text = `kind: ConfigMap\napiVersion: v1\n---\n${sound}---\n${sound.replace("region", "builtin")}---\n- 1\n`;
  const { classes, problems } = await lintFiles([{ file: "a.yaml", text }]);
  expect(classes).toBe(2);
  expect(problems).toEqual([
    {
      file: "a.yaml",
      line: 27,
      class: "small",
      field: "spec.variables[builtin].name",
      problem: 'Invalid value: "builtin": "builtin" is a reserved variable name',
    },
  ]);
});

test.each<[string, string, readonly unknown[]]>([
  [
    "a default of the wrong type",
    sound.replace("north", "3"),
    [
      [
        14,
        "spec.variables[region].schema.openAPIV3Schema.default",
        'Invalid value: "integer":  in body must be of type string: "integer"',
      ],
    ],
  ],
  ["a field that nobody knows", sound.replace("variables:", "variabels:"), [[8, "spec.variabels", "unknown field"]]],
  [
    "what is missing, at what lacks it",
    sound.replace("      required: true\n", ""),
    [[9, "spec.variables[0].required", "Required value"]],
  ],
  [
    "another version",
    sound.replace("v1beta2\nkind", "v1beta1\nkind"),
    [[1, "apiVersion", "only cluster.x-k8s.io/v1beta2 is checked"]],
  ],
  [
    "no version at all",
    sound.replace("apiVersion: cluster.x-k8s.io/v1beta2\n", ""),
    [[1, "apiVersion", "only cluster.x-k8s.io/v1beta2 is checked"]],
  ],
  [
    "no name",
    sound.replace("name: small}\nspec", "}\nspec"),
    [[3, "metadata.name", "Required value: name or generateName is required"]],
  ],
  [
    "a name that no object may have",
    sound.replace("name: small}\nspec", "name: Small}\nspec"),
    [[3, "metadata.name", expect.stringContaining('Invalid value: "Small": a lowercase RFC 1123 subdomain')]],
  ],
  [
    "a label that is a number",
    sound.replace("name: small}\nspec", "name: small, labels: {a: 5}}\nspec"),
    [[3, "metadata", expect.stringContaining("cannot unmarshal number")]],
  ],
  ["what is no YAML", "a: 1\na: 2\n", [[2, "", 'yaml: line 2: key "a" already set in map']]],
  [
    "a rule that does not compile",
    `${sound}          x-kubernetes-validations: [{rule: "self.a"}]\n`,
    [[14, "spec.variables[region].schema.openAPIV3Schema.default", expect.stringContaining("rule compile error")]],
  ],
  [
    "a template that two places share, where it stands",
    sound.replace("name: small}\n  controlPlane", "name: Small!}\n  controlPlane"),
    [
      [6, "spec.controlPlane.templateRef.name", expect.stringContaining("should match")],
      [6, "spec.infrastructure.templateRef.name", expect.stringContaining("should match")],
    ],
  ],
])("%s is found", async (_, text, expected) => {
  expect(await problemsIn(text)).toEqual(expected);
});

test("of two errors about one field of a variable the one that says more is told", async () => {
  const problems = await problemsIn(sound.replace("type: string\n          default: north", "type: text"));
  expect(problems).toEqual([
    [13, "spec.variables[region].schema.openAPIV3Schema.type", expect.stringContaining('Unsupported value: "text"')],
  ]);
});

test("problems come from top to bottom, variables too where the rest is wrong", async () => {
  const text = sound.replace("name: region", "name: a.b").replace("controlPlane: *template", "controlPlane: {}");
  expect((await problemsIn(text)).map(([line]) => line)).toEqual([7, 9]);
});

test("classes are found in lists, with their lines", async () => {
  const items = sound.replace("region", "builtin").replace(/^/gmu, "    ").replace("    api", "  - api");
  const { classes, problems } = await lintFiles([
    { file: "a.yaml", text: `apiVersion: v1\nkind: List\nitems:\n${items}` },
  ]);
  expect(classes).toBe(1);
  expect(problems).toMatchObject([{ line: 12, class: "small", field: "spec.variables[builtin].name" }]);
});

test("a bomb of aliases is refused", async () => {
  const levels = Array.from(
    { length: 12 },
    (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index}, `.repeat(9)}*l${index}]`,
  );
  expect(await problemsIn(["l0: &l0 [1]", ...levels].join("\n"))).toHaveLength(1);
});
