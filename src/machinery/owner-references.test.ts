import { expect, test } from "vitest";
import type { OwnerReference } from "./object.ts";
import { controllerOf, hasOwner, isControlledBy, upsertOwner, withoutOwner } from "./owner-references.ts";

const set: OwnerReference = { apiVersion: "example.com/v1", kind: "Set", name: "s", uid: "1" };
const newerSet: OwnerReference = { ...set, apiVersion: "example.com/v2", uid: "2", controller: true };
const cluster: OwnerReference = { apiVersion: "example.com/v1", kind: "Cluster", name: "c", uid: "3" };
const elsewhere: OwnerReference = { ...set, apiVersion: "other.com/v1" };

test("the controller is the owner that says so", () => {
  expect(controllerOf({ metadata: { ownerReferences: [cluster, newerSet] } })).toBe(newerSet);
  expect(controllerOf({ metadata: { ownerReferences: [{ ...cluster, controller: false }] } })).toBeUndefined();
  expect(controllerOf({ metadata: {} })).toBeUndefined();
});

test("an object is controlled by the one with the uid of its controller", () => {
  const owned = { metadata: { ownerReferences: [cluster, newerSet] } };
  expect(isControlledBy(owned, { metadata: { uid: "2" } })).toBe(true);
  expect(isControlledBy(owned, { metadata: { uid: "3" } })).toBe(false);
  expect(isControlledBy({ metadata: {} }, { metadata: {} })).toBe(false);
});

test("an owner is added at the end, or replaced where its group, kind and name stand", () => {
  expect(upsertOwner(undefined, set)).toEqual([set]);
  expect(upsertOwner([set], cluster)).toEqual([set, cluster]);
  expect(upsertOwner([set, cluster], newerSet)).toEqual([newerSet, cluster]);
  expect(upsertOwner([set], elsewhere)).toEqual([set, elsewhere]);
});

test("an owner is known by group, kind and name", () => {
  expect(hasOwner([set], newerSet)).toBe(true);
  expect([elsewhere, cluster, { ...set, name: "t" }].map((owner) => hasOwner([set], owner))).toEqual([
    false,
    false,
    false,
  ]);
  expect(hasOwner(undefined, set)).toBe(false);
});

test("an owner is taken out in whatever version", () => {
  expect(withoutOwner([set, cluster], newerSet)).toEqual([cluster]);
  expect(withoutOwner(undefined, set)).toEqual([]);
});
