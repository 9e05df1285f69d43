import { describe, expect, test } from "vitest";
import { parseTimestamp } from "#base";
import { describeFieldError } from "./field-error.ts";
import { metadataWarnings, validateMetadata, validateMetadataUpdate } from "./metadata.ts";
import { labelName, pathSegmentName } from "./name-syntax.ts";
import type { ObjectMeta, OwnerReference } from "./object.ts";

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const name =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const fine: ObjectMeta = { name: "a", namespace: "default" };
const owner: OwnerReference = { apiVersion: "v1", kind: "Pod", name: "n", uid: "u" };

describe("metadata of a namespaced custom resource", () => {
  const cases: Record<string, [change: ObjectMeta, errors: string[]]> = {
    "everything in order": [
      {
        generateName: "a-",
        generation: 3,
        labels: { "example.com/a": "b" },
        annotations: { "Example.com/A": "any text" },
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, uid: "v" },
        ],
        finalizers: ["example.com/a", "plain", "foregroundDeletion"],
      },
      [],
    ],
    "no name": [{ name: "" }, ["metadata.name: Required value: name or generateName is required"]],
    "a misspelt name": [{ name: "A" }, [`metadata.name: Invalid value: "A": ${subdomain}`]],
    "a name that is too long": [
      { name: "a".repeat(254) },
      [`metadata.name: Invalid value: "${"a".repeat(254)}": must be no more than 253 characters`],
    ],
    "a misspelt generateName": [
      { generateName: "-a", name: "-axmbdz" },
      [
        `metadata.generateName: Invalid value: "-a": ${subdomain}`,
        `metadata.name: Invalid value: "-axmbdz": ${subdomain}`,
      ],
    ],
    "no namespace": [{ namespace: "" }, ["metadata.namespace: Required value"]],
    "a negative generation": [
      { generation: -1 },
      ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"],
    ],
    "a misspelt label": [{ labels: { "-": "x" } }, [`metadata.labels: Invalid value: "-": ${name}`]],
    "a misspelt annotation": [{ annotations: { "-": "x" } }, [`metadata.annotations: Invalid value: "-": ${name}`]],
    "annotations of 256 KiB": [{ annotations: { a: "x".repeat(262_143) } }, []],
    "annotations of more": [
      { annotations: { a: "x".repeat(262_144) } },
      ["metadata.annotations: Too long: may not be more than 262144 bytes"],
    ],
    "annotations of more bytes than characters": [
      { annotations: { a: "é".repeat(131_072) } },
      ["metadata.annotations: Too long: may not be more than 262144 bytes"],
    ],
    "an owner that is nothing": [
      { ownerReferences: [{} as OwnerReference] },
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    ],
    "owners without a version": [
      {
        ownerReferences: [
          { ...owner, apiVersion: "a/b/c" },
          { ...owner, apiVersion: "g/" },
        ],
      },
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
        'metadata.ownerReferences.apiVersion: Invalid value: "g/": version must not be empty',
      ],
    ],
    "an Event as owner": [
      { ownerReferences: [{ ...owner, kind: "Event", name: "n<>&", blockOwnerDeletion: true, controller: false }] },
      [
        'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n\\u003c\\u003e\\u0026","uid":"u","controller":false,"blockOwnerDeletion":true}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ],
    "two controllers": [
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: "m", controller: true },
        ],
      },
      [
        'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"n","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"m","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/n and Pod/m',
      ],
    ],
    "misspelt finalizers": [{ finalizers: ["-", "x"] }, [`metadata.finalizers: Invalid value: "-": ${name}`]],
    "finalizers that contradict each other": [
      { finalizers: ["orphan", "foregroundDeletion"] },
      [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [change, errors]) => {
    expect(validateMetadata({ ...fine, ...change }, { namespaced: true }).map(describeFieldError)).toEqual(errors);
  });
});

describe("metadata of other kinds", () => {
  test("a kind without namespaces takes none", () => {
    const errors = validateMetadata(fine, { namespaced: false, names: labelName });
    expect(errors.map(describeFieldError)).toEqual(["metadata.namespace: Forbidden: not allowed on this type"]);
  });

  test("names follow the kind", () => {
    const rules = { namespaced: false, names: pathSegmentName };
    expect(validateMetadata({ name: "system:A" }, rules)).toEqual([]);
    expect(validateMetadata({ name: "a/b" }, rules).map(describeFieldError)).toEqual([
      "metadata.name: Invalid value: \"a/b\": may not contain '/'",
    ]);
  });

  test("Kubernetes' own kinds ask for finalizers with a domain", () => {
    const metadata = { ...fine, finalizers: ["a/b", "kubernetes", "plain"] };
    const errors = validateMetadata(metadata, { namespaced: true, qualifiedFinalizers: true });
    expect(errors.map(describeFieldError)).toEqual([
      'metadata.finalizers[2]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });
});

describe("changes of metadata", () => {
  const [earlier, later] = [parseTimestamp("2020-01-01T00:00:00Z"), parseTimestamp("2021-01-01T00:00:00Z")];
  const old: ObjectMeta = { ...fine, uid: "u", creationTimestamp: later, generation: 2, finalizers: ["a/x"] };
  const deleting: ObjectMeta = { ...old, deletionTimestamp: later, deletionGracePeriodSeconds: 0 };

  const cases: Record<string, [before: ObjectMeta, change: ObjectMeta, errors: string[]]> = {
    nothing: [old, {}, []],
    "labels, annotations, finalizers and owners": [old, { labels: { a: "b" }, finalizers: ["a/y"], generation: 3 }, []],
    "another name": [old, { name: "b" }, ['metadata.name: Invalid value: "b": field is immutable']],
    "another namespace": [old, { namespace: "b" }, ['metadata.namespace: Invalid value: "b": field is immutable']],
    "another uid": [old, { uid: "v" }, ['metadata.uid: Invalid value: "v": field is immutable']],
    "another time of birth": [
      old,
      { creationTimestamp: earlier },
      ['metadata.creationTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable'],
    ],
    "a time of deletion": [
      old,
      { deletionTimestamp: earlier },
      ['metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable'],
    ],
    "a grace period": [
      old,
      { deletionGracePeriodSeconds: 5 },
      ["metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable"],
    ],
    "an older generation": [old, { generation: 1 }, ["metadata.generation: Invalid value: 1: must not be decremented"]],
    "new finalizers while deleting": [
      deleting,
      { finalizers: ["t.io/z", "a/x", 't.io/"y'] },
      [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"t.io/\\"y", "t.io/z"}',
      ],
    ],
    "fewer finalizers while deleting": [deleting, { finalizers: [] }, []],
  };
  test.each(Object.entries(cases))("%s", (_, [before, change, errors]) => {
    expect(validateMetadataUpdate({ ...before, ...change }, before).map(describeFieldError)).toEqual(errors);
  });
});

describe("warnings", () => {
  test("finalizers without a domain, those that are new", () => {
    const metadata = { finalizers: ["x", "y/z", "foregroundDeletion", "orphan2", "old"] };
    expect(metadataWarnings(metadata, { finalizers: ["old"] })).toEqual([unqualified("orphan2"), unqualified("x")]);
  });

  test("owners that stand there twice", () => {
    const ownerReferences = ["u", "v", "u", "v", "w"].map((uid) => ({ ...owner, uid }));
    expect(metadataWarnings({ ownerReferences })).toEqual([
      ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u, v",
    ]);
  });

  test("nothing to say", () => {
    expect(metadataWarnings(fine)).toEqual([]);
  });
});

function unqualified(text: string): string {
  return `metadata.finalizers: "${text}": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`;
}
