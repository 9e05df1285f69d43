import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Collections } from "#apiserver/collection";
import type { KubeObject } from "#machinery";
import { type Attributes, isAboutPath } from "./attributes.ts";
import { Authorizer } from "./authorizer.ts";
import { Bindings, rbacGroup } from "./bindings.ts";
import { type PolicyRule, rulesOf } from "./policy-rule.ts";

const apiVersion = `${rbacGroup}/v1`;
const plurals: Readonly<Record<string, string>> = {
  Role: "roles",
  ClusterRole: "clusterroles",
  RoleBinding: "rolebindings",
  ClusterRoleBinding: "clusterrolebindings",
};

/** Objects in memory, and who may do what by them. */
class World {
  readonly #collections = new Collections(0);
  readonly authorizer = new Authorizer(new Bindings(this.#collections));
  #revision = 0;

  put(object: KubeObject): void {
    const { collection, namespace, name } = this.#placeOf(object);
    const previous = collection.get(namespace, name);
    this.#revision += 1;
    const kind = previous === undefined ? "created" : "updated";
    collection.publish({ kind, revision: this.#revision, namespace, name, object, previous });
  }

  remove(object: KubeObject): void {
    const { collection, namespace, name } = this.#placeOf(object);
    const previous = collection.get(namespace, name);
    if (previous === undefined) return;
    this.#revision += 1;
    collection.publish({ kind: "deleted", revision: this.#revision, namespace, name, object: previous, previous });
  }

  #placeOf({ kind, metadata: { namespace = "", name = "" } }: KubeObject) {
    const collection = this.#collections.of({ group: rbacGroup, resource: plurals[kind] ?? "" });
    return { collection, namespace, name };
  }
}

const rule = (given: Partial<PolicyRule>) => ({ verbs: ["get"], ...given });

function role(rules: readonly object[], name = "r", namespace?: string): KubeObject {
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) }, rules };
}

function binding(roleRef: object, subjects: readonly object[], name = "b", namespace?: string): KubeObject {
  const kind = namespace === undefined ? "ClusterRoleBinding" : "RoleBinding";
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) }, roleRef, subjects };
}

const user = (name: string) => ({ kind: "User", apiGroup: rbacGroup, name });
const joe = { name: "joe", groups: ["devs"] };
const asked = (given: Partial<Exclude<Attributes, { path: string }>>): Attributes => ({
  verb: "get",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "",
  name: "",
  ...given,
});

describe("one rule", () => {
  const pods = { apiGroups: [""], resources: ["pods"] };
  test.each<[string, Partial<PolicyRule>, Attributes, boolean]>([
    ["fits", pods, asked({}), true],
    ["is for one verb", pods, asked({ verb: "list" }), false],
    ["is for all verbs", { ...pods, verbs: ["*"] }, asked({ verb: "anything" }), true],
    ["is for one group", pods, asked({ group: "apps" }), false],
    ["is for all groups", { ...pods, apiGroups: ["*"] }, asked({ group: "apps" }), true],
    ["is for no parts", pods, asked({ subresource: "log" }), false],
    ["is for one part", { ...pods, resources: ["pods/log"] }, asked({ subresource: "log" }), true],
    ["is not for the whole of a part", { ...pods, resources: ["pods/log"] }, asked({}), false],
    ["is for a part of everything", { ...pods, resources: ["*/scale"] }, asked({ subresource: "scale" }), true],
    ["is not for another part", { ...pods, resources: ["*/scale"] }, asked({ subresource: "status" }), false],
    ["is for everything", { ...pods, resources: ["*"] }, asked({ subresource: "log" }), true],
    ["of all parts of one is for none", { ...pods, resources: ["pods/*"] }, asked({ subresource: "log" }), false],
    ["is for one name", { ...pods, resourceNames: ["a"] }, asked({ name: "a" }), true],
    ["is for no other name", { ...pods, resourceNames: ["a"] }, asked({ name: "b" }), false],
    ["of a name is not for all", { ...pods, resourceNames: ["a"] }, asked({}), false],
    ["knows no star among names", { ...pods, resourceNames: ["*"] }, asked({ name: "a" }), false],
    ["is for a path", { nonResourceURLs: ["/x"] }, { verb: "get", path: "/x" }, true],
    ["is for that path alone", { nonResourceURLs: ["/x"] }, { verb: "get", path: "/x/y" }, false],
    ["is for paths below", { nonResourceURLs: ["/x/*"] }, { verb: "get", path: "/x/y/z" }, true],
    ["of paths below is not for the path", { nonResourceURLs: ["/x/*"] }, { verb: "get", path: "/x" }, false],
    ["is for all paths", { nonResourceURLs: ["*"] }, { verb: "get", path: "/x" }, true],
    ["of resources is not for paths", { ...pods, resources: ["*"] }, { verb: "get", path: "/x" }, false],
    ["of paths is not for resources", { nonResourceURLs: ["*"] }, asked({}), false],
  ])("%s", (_, given, attributes, allowed) => {
    const world = new World();
    world.put(role([rule(given)]));
    world.put(binding({ kind: "ClusterRole", name: "r" }, [user("joe")]));
    expect(world.authorizer.decide(joe, attributes).allowed).toBe(allowed);
  });
});

test("a member of system:masters may do everything, without any role", () => {
  const { authorizer } = new World();
  expect(authorizer.decide({ name: "x", groups: ["system:masters"] }, asked({}))).toEqual({
    allowed: true,
    reason: "",
  });
});

test("what changes counts at once", () => {
  const world = new World();
  const pods = role([rule({ apiGroups: [""], resources: ["pods"] })]);
  const bound = binding({ kind: "ClusterRole", name: "r" }, [user("joe")]);
  const may = () => world.authorizer.decide(joe, asked({})).allowed;
  const seen = [may()];
  for (const step of [
    () => world.put(bound),
    () => world.put(pods),
    () => world.put(role([])),
    () => world.put(pods),
    () => world.put(binding({ kind: "ClusterRole", name: "r" }, [user("ann")])),
    () => world.put(bound),
    () => world.remove(pods),
    () => world.put(pods),
    () => world.remove(bound),
  ]) {
    step();
    seen.push(may());
  }
  expect(seen).toEqual([false, false, true, false, true, false, true, false, true, false]);
});

const few = (...values: readonly string[]) => fc.array(fc.constantFrom(...values), { maxLength: 2 });
const someRule = fc.record({
  verbs: few("get", "list", "*"),
  apiGroups: few("", "apps", "*"),
  resources: few("pods", "pods/log", "*/log", "nodes", "*"),
  resourceNames: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, few("a", "b")),
  nonResourceURLs: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, few("/x", "/x/*", "*")),
});
const home = fc.constantFrom(undefined, "n1", "n2");
const someRole = fc
  .record({ rules: fc.array(someRule, { maxLength: 3 }), name: fc.constantFrom("r1", "r2"), home })
  .map(({ rules, name, home: namespace }) => role(rules, name, namespace));
const someSubject = fc.oneof(
  fc.constantFrom("joe", "ann").map(user),
  fc.constantFrom("devs", "ops").map((name) => ({ kind: "Group", apiGroup: rbacGroup, name })),
  fc.constantFrom(undefined, "n1").map((namespace) => ({ kind: "ServiceAccount", name: "robot", namespace })),
);
const someBinding = fc
  .record({
    subjects: fc.array(someSubject, { maxLength: 2 }),
    to: fc.constantFrom("r1", "r2"),
    kind: fc.constantFrom("Role", "ClusterRole"),
    name: fc.constantFrom("b1", "b2", "b3"),
    home,
  })
  .map(({ subjects, to, kind, name, home: namespace }) =>
    binding({ kind: namespace === undefined ? "ClusterRole" : kind, name: to }, subjects, name, namespace),
  );
const someCaller = fc.record({
  name: fc.constantFrom("joe", "ann", "system:serviceaccount:n1:robot"),
  groups: few("devs", "ops"),
});
const someAttributes: fc.Arbitrary<Attributes> = fc.oneof(
  fc.record({
    verb: fc.constantFrom("get", "list", "delete"),
    group: fc.constantFrom("", "apps"),
    version: fc.constant("v1"),
    resource: fc.constantFrom("pods", "nodes"),
    subresource: fc.constantFrom("", "log"),
    namespace: fc.constantFrom("", "n1", "n2"),
    name: fc.constantFrom("", "a", "c"),
  }),
  fc.record({ verb: fc.constantFrom("get", "list"), path: fc.constantFrom("/x", "/x/y", "/z") }),
);

test("the authorizer decides as a naive reading of all roles and bindings does", () => {
  const step = fc.record({ object: fc.oneof(someRole, someBinding), gone: fc.boolean() });
  const question = fc.tuple(someCaller, someAttributes);
  fc.assert(
    fc.property(fc.array(fc.tuple(step, question), { minLength: 8, maxLength: 30 }), (script) => {
      const world = new World();
      const objects = new Map<string, KubeObject>();
      for (const [{ object, gone }, [caller, attributes]] of script) {
        const key = `${object.kind}/${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
        if (gone && objects.has(key)) {
          objects.delete(key);
          world.remove(object);
        } else {
          objects.set(key, object);
          world.put(object);
        }
        expect(world.authorizer.decide(caller, attributes).allowed).toBe(naively(objects, caller, attributes));
      }
    }),
    { numRuns: 300 },
  );
});

function naively(
  objects: ReadonlyMap<string, KubeObject>,
  caller: { readonly name: string; readonly groups: readonly string[] },
  attributes: Attributes,
): boolean {
  const namespace = isAboutPath(attributes) ? "" : attributes.namespace;
  return [...objects.values()].some((object) => {
    if (!object.kind.endsWith("Binding")) return false;
    const { namespace: place = "" } = object.metadata;
    if (place !== "" && place !== namespace) return false;
    const subjects = object["subjects"] as readonly {
      readonly kind: string;
      readonly name: string;
      readonly namespace?: string;
    }[];
    const named = subjects.some(({ kind, name, namespace: own = place }) => {
      if (kind === "Group") return caller.groups.includes(name);
      return caller.name === (kind === "User" ? name : `system:serviceaccount:${own}:${name}`);
    });
    const { kind, name } = object["roleRef"] as { readonly kind: string; readonly name: string };
    const found = objects.get(`${kind}/${kind === "Role" ? place : ""}/${name}`);
    return named && found !== undefined && rulesOf(found).some((each) => ruleAllows(each, attributes));
  });
}

function ruleAllows(given: PolicyRule, attributes: Attributes): boolean {
  const has = (values: readonly string[], value: string) => values.includes("*") || values.includes(value);
  if (!has(given.verbs, attributes.verb)) return false;
  if (isAboutPath(attributes)) {
    const { path } = attributes;
    return given.nonResourceURLs.some(
      (url) => url === path || (url.endsWith("*") && path.startsWith(url.slice(0, -1))),
    );
  }
  const { group, resource, subresource, name } = attributes;
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  const names = given.resourceNames;
  const resources = [...given.resources].map((each) =>
    each === `*/${subresource}` && subresource !== "" ? "*" : each,
  );
  return has(given.apiGroups, group) && has(resources, whole) && (names.length === 0 || names.includes(name));
}
